// The service worker: keeps the client's files of this build and the data-free shell, so that the app starts without a server.
// It never touches what is no plain GET of a page or of one of these files: event streams, calls, uploads, pairing and ranges go
// their own way. Pages with data are never kept. An image that the server does not give is looked for among the keeper's rows.
const BUILD = '__BUILD__';
const FILES = __FILES__;
const SHELL = '/shell';
const CACHE = `sidedeck-${BUILD}`;
const PATIENCE = 3000;
const BLOB = /^\/api\/v1\/sessions\/([^/]+)\/blobs\/([0-9a-f]+)$/;

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([SHELL, ...FILES].map((path) => new Request(path, { cache: 'no-cache' })))));
});

addEventListener('activate', (event) => {
  event.waitUntil(tidy().then(() => clients.claim()));
});

// A page asks for it by a press; nothing takes over by itself.
addEventListener('message', (event) => {
  if (event.data === 'take over') skipWaiting();
});

// The build before stays for pages that still run it; caches come in the order in which they were made.
async function tidy() {
  const ours = (await caches.keys()).filter((name) => name.startsWith('sidedeck-') && name !== CACHE);
  await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)));
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || request.headers.has('range')) return;
  if (request.mode === 'navigate') {
    if (isPage(url.pathname)) event.respondWith(page(request));
  } else if (request.destination === 'image' && BLOB.test(url.pathname)) {
    event.respondWith(fetch(request).catch(() => image(...url.pathname.match(BLOB).slice(1))));
  } else if (url.pathname.startsWith('/pkg/') || FILES.includes(url.pathname)) {
    event.respondWith(file(request, url.pathname));
  }
});

function isPage(path) {
  return path === '/' || path === '/settings' || path.startsWith('/s/');
}

// What is named by its build never changes; of the others the network's is as good, and the kept one better than none.
async function file(request, path) {
  if (!path.startsWith('/pkg/')) return fetch(request).catch(() => kept(path));
  return (await kept(path)) ?? fetch(request);
}

async function kept(path) {
  return (await caches.open(CACHE)).match(path).then((found) => found ?? caches.match(path));
}

// The server's page, if it comes in time; else the shell, which shows what was saved.
async function page(request) {
  const shell = () => kept(SHELL);
  const answer = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  try {
    const first = await Promise.race([answer, late]);
    if (first !== null) return first;
    answer.catch(() => {});
    return (await shell()) ?? (await answer);
  } catch (error) {
    const found = await shell();
    if (found) return found;
    throw error;
  }
}

// An image that the keeper has; it never makes the database, that is the keeper's to do.
function image(session, hash) {
  return new Promise((resolve) => {
    const absent = () => resolve(Response.error());
    const request = indexedDB.open('sidedeck');
    request.onupgradeneeded = () => request.transaction.abort();
    request.onerror = absent;
    request.onsuccess = () => {
      const db = request.result;
      if (!db.objectStoreNames.contains('blobs')) return db.close(), absent();
      const id = decodeURIComponent(session);
      const store = db.transaction('blobs').objectStore('blobs');
      const keys = store.getAllKeys(IDBKeyRange.bound([id], [id, []]));
      keys.onerror = absent;
      keys.onsuccess = () => {
        const key = keys.result.find((key) => key[2] === hash);
        if (!key) return absent();
        store.get(key).onsuccess = ({ target: { result } }) => resolve(new Response(result.bytes, { headers: { 'Content-Type': result.type } }));
      };
      store.transaction.oncomplete = () => db.close();
    };
  });
}
