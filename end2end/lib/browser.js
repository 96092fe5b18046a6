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
