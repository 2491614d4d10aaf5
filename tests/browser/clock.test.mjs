// A machine that has lost the time: the chief arbiter's device lends it its own.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

/** The device is so far ahead of the machine. */
const AHEAD_MS = 90 * 24 * 3_600_000;

const bin = mkdtempSync(join(tmpdir(), 'arbiter-clock-'));
let house;
before(async () => {
  // No test may turn the clock of its machine: what is asked of the service manager is written down instead.
  writeFileSync(join(bin, 'timedatectl'), `#!/bin/sh\n[ "$2" = show ] && echo NTPSynchronized=no || echo "$@" >>${bin}/asked\n`);
  chmodSync(join(bin, 'timedatectl'), 0o755);
  process.env.PATH = `${bin}:${process.env.PATH}`;
  house = await House.open();
});
after(async () => {
  await house.close();
  rmSync(bin, { recursive: true });
});

test('a device that knows better sets the machine\'s clock with one touch', { timeout: 60_000 }, async () => {
  const same = await house.page();
  await until(() => same.locator('.line-live').count(), 'it is live');
  assert.equal(await same.locator('button', { hasText: 'Set its clock' }).count(), 0, 'two clocks that agree need nobody');

  const chief = await house.device();
  await chief.clock.install({ time: Date.now() + AHEAD_MS });
  await chief.goto(`${house.address}/`);
  await chief.locator('[role=alert]', { hasText: 'The machine of the boards takes it to be' }).waitFor();
  await chief.locator('button', { hasText: 'Set its clock by this device' }).click();
  const asked = () => existsSync(join(bin, 'asked')) && readFileSync(join(bin, 'asked'), 'utf8').match(/^--no-ask-password set-time @([\d.]+)$/m);
  const [, seconds] = await until(asked, 'the machine\'s clock is set');
  const off = Number(seconds) * 1000 - (Date.now() + AHEAD_MS);
  assert.ok(Math.abs(off) < 20_000, `off by ${off} ms`);
  assert.deepEqual([...same.complaints, ...chief.complaints], []);
});
