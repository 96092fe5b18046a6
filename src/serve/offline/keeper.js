// What this browser keeps for reading without a server: rows of transcripts in IndexedDB, as the programs' route gives them.
//
// Decision: the keeper is a reader of its own. It asks for "changes after this cursor" and puts rows in their place, so a copy is
// made whole by the difference alone, and never depends on what a page happened to show.
// Stores: sessions (by id), agents (session, n), entries (session, n, seq), blobs (session, n, hash: long texts and images, which the
// worker gives to a page too), and marks (session, n or -1 for all agents: how far it was read, when, how large it is). Nothing here
// throws at the page: what cannot be kept is told in words by `state`.
const NAME = 'sidedeck';
const ALL = -1;
const WINDOW = 200;
/** The most that is kept, in characters of JSON; the session unread for longest goes first. */
const LIMIT = 60e6;
/** What is longer than this, in bytes, is kept by its beginning alone. */
const LONGEST = 8e6;
const STORES = {
  sessions: 'id',
  agents: ['session', 'n'],
  entries: ['session', 'n', 'seq'],
  blobs: ['session', 'n', 'hash'],
  marks: ['session', 'n'],
};

let opening;
let trouble = '';

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const finished = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('aborted'));
  });
const within = (...key) => IDBKeyRange.bound(key, [...key, []]);

function connect() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 2);
    request.onupgradeneeded = () => {
      const { result: db } = request;
      for (const [store, keyPath] of Object.entries(STORES)) {
        if (!db.objectStoreNames.contains(store)) db.createObjectStore(store, { keyPath });
      }
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('blocked'));
    request.onsuccess = () => {
      const db = request.result;
      db.onversionchange = db.onclose = () => {
        db.close();
        opening = undefined;
      };
      if (Object.keys(STORES).every((store) => db.objectStoreNames.contains(store))) resolve(db);
      else {
        db.close();
        reject(new Error('damaged'));
      }
    };
  });
}

// A database that cannot be opened holds nothing that the server does not: it is made anew, once.
function open() {
  opening ??= connect()
    .catch(() => done(indexedDB.deleteDatabase(NAME)).then(connect))
    .catch((error) => {
      opening = undefined;
      throw error;
    });
  return opening;
}

async function read(stores, job) {
  const db = await open();
  return job((name) => db.transaction(stores, 'readonly').objectStore(name));
}

async function write(job) {
  const db = await open();
  const transaction = db.transaction(Object.keys(STORES), 'readwrite');
  const end = finished(transaction);
  job((name) => transaction.objectStore(name));
  await end;
}

const marksOf = (session) => read(['marks'], (store) => done(store('marks').getAll(within(session))));

async function forget(session, agents) {
  await write((store) => {
    if (agents) {
      for (const n of agents) {
        store('agents').delete([session, n]);
        store('entries').delete(within(session, n));
        store('blobs').delete(within(session, n));
        store('marks').delete([session, n]);
      }
      return;
    }
    store('sessions').delete(session);
    for (const name of ['agents', 'entries', 'blobs', 'marks']) store(name).delete(within(session));
  });
}

/** Applies a page of changes to the rows; those of agents that are not kept are left out. */
async function apply(session, { changes, cursor, more }, agents) {
  let size = 0;
  const blobs = await fetched(session, changes);
  await write((store) => {
    for (const blob of blobs) {
      size += blob.bytes.byteLength;
      store('blobs').put(blob);
    }
    for (const change of changes) {
      if (change.put === 'session') {
        store('sessions').put(bare(change));
      } else if (change.put === 'agent') {
        store('agents').put({ session, n: change.n, row: bare(change) });
      } else if (change.put === 'entry') {
        const row = bare(change);
        size += JSON.stringify(row).length;
        store('entries').put({ session, n: row.agent, seq: row.seq, row });
      } else if (change.put === 'gone' && change.agent !== undefined) {
        store('agents').delete([session, change.agent]);
        store('entries').delete(within(session, change.agent));
        store('blobs').delete(within(session, change.agent));
        store('marks').delete([session, change.agent]);
      }
    }
    for (const n of agents) {
      const marks = store('marks');
      marks.get([session, n]).onsuccess = ({ target: { result: was } }) => {
        const grown = (was?.size ?? 0) + Math.round(size / agents.length);
        marks.put({ ...was, session, n, cursor, size: grown, saved: more ? was?.saved ?? 0 : Date.now(), read: was?.read ?? Date.now() });
      };
    }
  });
}

const bare = ({ put, ...row }) => row;

/** The long texts and the images of changed entries, those that are not kept yet. */
async function fetched(session, changes) {
  const wanted = new Map();
  for (const { put, agent, body } of changes) {
    if (put !== 'entry') continue;
    JSON.stringify(body, (_, it) => {
      if (it?.hash && it.len <= LONGEST) wanted.set(`${agent}/${it.hash}`, [session, agent, it.hash]);
      return it;
    });
  }
  const blobs = [];
  for (const key of wanted.values()) {
    if (await read(['blobs'], (store) => done(store('blobs').getKey(key)))) continue;
    const answer = await fetch(`/api/v1/sessions/${encodeURIComponent(session)}/blobs/${key[2]}`);
    if (answer.ok) blobs.push({ session, n: key[1], hash: key[2], type: answer.headers.get('Content-Type'), bytes: await answer.arrayBuffer() });
  }
  return blobs;
}

/** A kept content of a session as text, whichever of its agents brought it. */
async function textOf(session, hash) {
  const keys = await read(['blobs'], (store) => done(store('blobs').getAllKeys(within(session))));
  const key = keys.find((key) => key[2] === hash);
  return key && new TextDecoder().decode((await read(['blobs'], (store) => done(store('blobs').get(key)))).bytes);
}

/** Brings agents of a session up to date, each group from where it stands. */
async function sync(session, wanted) {
  const marks = await marksOf(session);
  const all = wanted.includes(ALL) || marks.some((mark) => mark.n === ALL);
  const agents = all ? [ALL] : [...new Set([...marks.map((mark) => mark.n), ...wanted])];
  const groups = new Map();
  for (const n of agents) {
    const cursor = marks.find((mark) => mark.n === n)?.cursor ?? '';
    groups.set(cursor, [...(groups.get(cursor) ?? []), n]);
  }
  for (let [cursor, group] of groups) {
    for (let more = true; more; ) {
      const of = all ? '' : `&agents=${group.join(',')}`;
      const answer = await fetch(`/api/v1/sessions/${encodeURIComponent(session)}/changes?after=${cursor}${of}`);
      if (answer.status === 404) return forget(session);
      if (answer.status === 410) {
        await forget(session);
        return sync(session, agents);
      }
      if (!answer.ok) return;
      const page = await answer.json();
      await apply(session, page, group);
      ({ cursor, more } = page);
    }
  }
}

/** Makes room: the session that was unread for longest goes, but never `spared`. */
async function evict(spared, limit) {
  const marks = await read(['marks'], (store) => done(store('marks').getAll()));
  const sessions = new Map();
  for (const { session, size, read } of marks) {
    const was = sessions.get(session) ?? { size: 0, read: 0 };
    sessions.set(session, { size: was.size + size, read: Math.max(was.read, read) });
  }
  let total = [...sessions.values()].reduce((sum, { size }) => sum + size, 0);
  for (const [session, { size }] of [...sessions].sort(([, a], [, b]) => a.read - b.read)) {
    if (total <= limit) break;
    if (session === spared) continue;
    await forget(session);
    total -= size;
  }
  return total;
}

/** One at a time: two pages of a tab never write between each other. */
let queue = Promise.resolve();
function inTurn(job) {
  const turn = queue.then(job);
  queue = turn.catch(() => {});
  return turn;
}

const jobs = {
  /** Keeps agents of a session (-1: all), from now on whenever it is asked for. */
  keep: (session, agents) =>
    inTurn(async () => {
      try {
        await sync(session, agents);
      } catch (error) {
        if (error?.name !== 'QuotaExceededError') throw error;
        // Half of what is there makes room for this one; if that is not enough, there is none.
        await evict(session, LIMIT / 2);
        await sync(session, agents);
      }
      await evict(session, LIMIT);
      trouble = '';
    }),

  forget: (session, agents) => inTurn(() => forget(session, agents)),

  clear: () =>
    inTurn(async () => {
      (await opening)?.close();
      opening = undefined;
      await done(indexedDB.deleteDatabase(NAME));
    }),

  /** When a session was last brought up to date, and whether the whole of it is kept. */
  async state(session) {
    const marks = await marksOf(session);
    return { saved: Math.max(0, ...marks.map((mark) => mark.saved)), whole: marks.some((mark) => mark.n === ALL), trouble };
  },

  /** The kept sessions, newest activity first, as the list's call gives them. */
  async listing() {
    const [sessions, marks] = await Promise.all([
      read(['sessions'], (store) => done(store('sessions').getAll())),
      read(['marks'], (store) => done(store('marks').getAll())),
    ]);
    if (!sessions.length) return null;
    sessions.sort((a, b) => (b.last_at ?? b.started_at ?? 0) - (a.last_at ?? a.started_at ?? 0));
    const saved = Math.min(...marks.map((mark) => mark.saved).filter(Boolean));
    // The stream goes on from the oldest of them, so that nothing is missed.
    const grevs = marks.map((mark) => mark.cursor.split('.')).sort((a, b) => a[1] - b[1]);
    return { sessions, cursor: grevs[0].slice(0, 2).join('.'), next: null, now: Date.now(), saved };
  },

  async agents(session) {
    const rows = await read(['agents'], (store) => done(store('agents').getAll(within(session))));
    if (!rows.length) return null;
    const agents = rows.map(({ row }) => row).filter((row) => row.n !== 0 && !row.hidden && row.merged_into == null && row.part_of == null);
    return { agents, more: 0 };
  },

  /** A session with a window of one of its transcripts, as the page's call gives it. */
  async session(session, name, before) {
    const [row, agents, marks] = await Promise.all([
      read(['sessions'], (store) => done(store('sessions').get(session))),
      read(['agents'], (store) => done(store('agents').getAll(within(session)))),
      marksOf(session),
    ]);
    const rows = agents.map(({ row }) => row);
    const named = (agent) => agent.id === name || agent.names?.includes(name) || String(agent.n) === name;
    const n = name ? rows.find(named)?.n : 0;
    const mark = marks.find((mark) => mark.n === n) ?? marks.find((mark) => mark.n === ALL);
    if (!row || n === undefined || !mark?.saved) return null;
    const entries = await jobs.entries(session, n, before);
    const page = { session: row, agents: rows, entries, cursor: mark.cursor, now: Date.now() };
    await write((store) => marks.forEach((mark) => store('marks').put({ ...mark, read: Date.now() })));
    return { page, sessions: (await jobs.listing()).sessions, known: { name: '', prices: {} }, saved: mark.saved };
  },

  async entries(session, n, before) {
    const marks = await marksOf(session);
    const mark = marks.find((mark) => mark.n === n) ?? marks.find((mark) => mark.n === ALL);
    if (!mark) return null;
    const upper = before == null ? [session, n, []] : [session, n, before];
    const range = IDBKeyRange.bound([session, n], upper, false, true);
    const rows = await read(['entries'], (store) => newest(store('entries'), range, WINDOW + 1));
    const more = rows.length > WINDOW;
    const entries = rows.slice(0, WINDOW).reverse();
    return { agent: n, entries, more_before: more, more_after: before != null, rev: Number(mark.cursor.split('.')[2] ?? 0) };
  },

  /** A long text, whole. */
  long: textOf,

  /** What stands behind a kept step: its texts as they came, `all` of them or their beginnings. */
  async detail(session, n, seq, all) {
    const kept = await read(['entries'], (store) => done(store('entries').get([session, n, seq])));
    const tool = kept?.row.body;
    if (tool?.kind !== 'tool') return null;
    const part = async ([title, long]) => {
      const whole = all && long.blob && (await textOf(session, long.blob.hash));
      const text = whole || long.text;
      const hidden = whole ? 0 : Math.max(0, (long.blob?.len ?? 0) - text.length);
      return { title, body: { Lines: text.split('\n').map((text) => ({ spans: [{ text }] })) }, hidden };
    };
    const texts = [['Asked for', tool.args], ['Result', tool.result], ['Error', tool.error]];
    return { facts: [], parts: await Promise.all(texts.filter(([, long]) => long?.text).map(part)) };
  },
};

function newest(store, range, count) {
  return new Promise((resolve, reject) => {
    const rows = [];
    const request = store.openCursor(range, 'prev');
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || rows.length >= count) return resolve(rows);
      rows.push(cursor.value.row);
      cursor.continue();
    };
  });
}

function told(error) {
  if (error?.name === 'QuotaExceededError') return 'There is no room left on this device to save more.';
  return 'This browser keeps nothing for offline reading: its storage is refused or damaged.';
}

/** The one door for the client: a job by its name, arguments and answer as JSON; `undefined` where there is nothing. */
globalThis.keeper = {
  async ask(job, args) {
    try {
      const answer = await jobs[job](...JSON.parse(args));
      return answer == null ? undefined : JSON.stringify(answer);
    } catch (error) {
      // Without a network nothing is wrong with the storage.
      if (!(error instanceof TypeError)) trouble = told(error);
      return job === 'state' ? JSON.stringify({ saved: 0, whole: false, trouble }) : undefined;
    }
  },
  /** True where transcripts are kept by themselves: in the installed app. */
  installed: () => matchMedia('(display-mode: standalone)').matches || navigator.standalone === true,
  /** The badge of the app's icon, where there is one. */
  badge(count) {
    if (count) navigator.setAppBadge?.(count)?.catch(() => {});
    else navigator.clearAppBadge?.()?.catch(() => {});
  },
};

if ('serviceWorker' in navigator && globalThis.isSecureContext) {
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {});
  // An hour in the background may have brought a new build.
  let looked = Date.now();
  document.addEventListener('visibilitychange', async () => {
    if (document.hidden || Date.now() - looked < 3.6e6) return;
    looked = Date.now();
    (await navigator.serviceWorker.getRegistration())?.update().catch(() => {});
  });
  // "New version": the new worker takes over first, so that page and files are of one build.
  document.addEventListener('click', (event) => {
    if (event.target.closest?.('[data-update]')) {
      event.preventDefault();
      renew();
    }
  });
}

async function renew() {
  let going = false;
  const go = () => {
    if (!going) location.reload();
    going = true;
  };
  navigator.serviceWorker.addEventListener('controllerchange', go);
  setTimeout(go, 5000);
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.update().catch(() => {});
  const next = registration?.installing ?? registration?.waiting;
  if (!next) return go();
  const take = () => next.state === 'installed' && next.postMessage('take over');
  next.addEventListener('statechange', take);
  take();
}
