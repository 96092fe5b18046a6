// How the tests start Chromium: the system's own, named by CHROMIUM (tools/chromium finds it).
export const launch = {
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-sync',
    '--no-first-run',
  ],
};

/** Waits until the page has been hydrated. */
export async function alive(page) {
  await page.locator('html[data-hydrated]').waitFor();
}

/** Logs a browser in and returns what a new context needs to be logged in too. */
export async function loggedIn(browser, server) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.pairing);
  await page.waitForURL((url) => url.pathname === '/');
  const state = await context.storageState();
  await context.close();
  return state;
}
