// What the console's pages cost a browser, of so many simulated boards at the pace of real hands: node load.mjs [BOARDS]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const boards = process.argv[2] ?? '100';
const SECONDS = 30;
const dir = mkdtempSync(join(tmpdir(), 'arbiter-load-'));
const arbiterd = resolve(dirname(fileURLToPath(import.meta.url)), process.env.ARBITERD ?? '../../target/debug/arbiterd');
const demo = spawn(arbiterd, ['demo', '--boards', boards, '--speed', '1', '--http', '127.0.0.1:0', '--dir', dir], { stdio: ['ignore', 'pipe', 'pipe'] });
const address = await new Promise((found) => {
  let said = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (text) => {
    said += text;
    const [, port] = /http:\/\/(127\.0\.0\.1:\d+)/.exec(said) ?? [];
    if (port) found(`http://${port}`);
  });
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const [name, hash, drawn] of [['all boards', '#/', '.card'], ['hall', '#/map', '.tile'], ['inbox', '#/inbox', '.inbox-title'], ['one board', '#/board/b05', '.room']]) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const devtools = await page.context().newCDPSession(page);
    // What the page's thread worked, not what it waited for a core.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(`${address}/${hash}`);
    await page.waitForSelector(drawn);
    await page.waitForTimeout(3_000);
    const metric = async () => Object.fromEntries((await devtools.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
    const before = await metric();
    await page.waitForTimeout(1_000 * SECONDS);
    const after = await metric();
    const part = (of) => `${(100 * (after[of] - before[of]) / SECONDS).toFixed(1)} %`;
    console.log(`${name}, ${boards} boards: ${part('TaskDuration')} of a core, scripts ${part('ScriptDuration')}, layout ${part('LayoutDuration')}, styles ${part('RecalcStyleDuration')}`);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `load-${name.replace(' ', '-')}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  demo.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}
