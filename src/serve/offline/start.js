// Starts the client in the shell: nothing was rendered, so it mounts where a page would hydrate.
import '__KEEPER__';
import { compiled } from '__COMPILER__';
import start, { mount } from '__JS__';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {}
compiled('__WASM__').then((module) => start({ module_or_path: module })).then(mount);
