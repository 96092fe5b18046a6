// A server of a newer build, as a browser sees it: a proxy that, once it is told to, gives everything another build's name.
import { createServer, request as ask } from 'node:http';

/** @param {string} origin the server's @param {string} build its build's id */
export async function startNewer(origin, build) {
  const upstream = new URL(origin);
  const other = `${build.slice(0, -1)}${build.endsWith('z') ? 'y' : 'z'}`;
  let newer = false;
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, host: upstream.host, 'accept-encoding': 'identity' };
    if (headers.origin) headers.origin = origin;
    delete headers['if-none-match'];
    const path = incoming.url.replaceAll(other, build);
    const sent = ask({ host: upstream.hostname, port: upstream.port, method: incoming.method, path, headers }, (got) => {
      const text = /text\/|json|javascript/.test(got.headers['content-type'] ?? '');
      const { etag, 'content-length': length, ...rest } = got.headers;
      answer.writeHead(got.statusCode, text ? rest : got.headers);
      if (!text) return got.pipe(answer);
      got.setEncoding('utf8').on('data', (chunk) => answer.write(newer ? chunk.replaceAll(build, other) : chunk));
      got.on('end', () => answer.end());
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${proxy.address().port}`,
    build: other,
    /** From now on it is the newer one. */
    change: () => (newer = true),
    stop: () => new Promise((resolve) => (proxy.close(resolve), proxy.closeAllConnections())),
  };
}
