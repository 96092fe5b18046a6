// The synthetic runs that the tests of the dialects read, too.
import { readFileSync } from 'node:fs';

const root = new URL('../../tests/fixtures/', import.meta.url);

/** The path of a fixture. */
export const fixture = (name) => new URL(name, root).pathname;

/** The events of a fixture, each with its blank line. */
export const events = (name) => readFileSync(fixture(name), 'utf8').split(/(?<=\n\n)/);
