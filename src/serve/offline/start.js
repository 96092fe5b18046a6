// Starts the client in the shell: nothing was rendered, so it mounts where a page would hydrate.
import '__KEEPER__';
import start, { mount } from '__JS__';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {}
start({ module_or_path: '__WASM__' }).then(mount);
