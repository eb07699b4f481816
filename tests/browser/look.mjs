// Opens pages in Chromium. Fails if a page makes a request, runs a script, has an element that it must not have, or breaks
// a rule of accessibility. Takes screenshots of one page.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const [chromium, pages, out] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FORBIDDEN = 'script, iframe, object, embed, form, input, link, base, svg, math, [id=forged], [style]';
const VIEWS = [
  { name: 'desktop-light', width: 1280, height: 900, scheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, scheme: 'dark' },
  { name: 'phone-light', width: 390, height: 844, scheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, scheme: 'dark' },
];
const failures = [];

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ['--no-sandbox'] });

/** Opens a page, and reports every request and every script. */
async function open(file, view) {
  const page = await browser.newPage();
  await page.setViewport({ width: view.width, height: view.height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: view.scheme }]);
  const url = pathToFileURL(join(pages, file)).href;
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:image/')) failures.push(`${file}: requests ${request.url()}`);
  });
  page.on('dialog', (dialog) => { failures.push(`${file}: a dialog`); dialog.dismiss(); });
  page.on('framenavigated', (frame) => { if (frame.url().split('#')[0] !== url) failures.push(`${file}: goes to ${frame.url()}`); });
  await page.goto(url);
  return page;
}

/** Reports what scripts or markup of the document have done. Every link is clicked that could be a script. */
async function inspect(page, file) {
  const state = await page.evaluate((forbidden) => {
    for (const details of document.querySelectorAll('details')) details.open = !details.classList.contains('image');
    for (const link of document.querySelectorAll('a:not([href^="http"]):not([href^="mailto:"]):not([download])')) link.click();
    return { pwned: window.pwned, forbidden: [...document.querySelectorAll(forbidden)].map((one) => one.outerHTML.slice(0, 80)) };
  }, FORBIDDEN);
  if (state.pwned) failures.push(`${file}: a script has run`);
  for (const one of state.forbidden) failures.push(`${file}: ${one}`);
}

/** Reports what axe-core finds, with all parts folded and unfolded. */
async function check(page, file, view) {
  for (const isOpen of [false, true]) {
    await page.evaluate((isOpen) => {
      for (const one of document.querySelectorAll('details:not(.image)')) one.open = isOpen;
    }, isOpen);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    for (const { id, nodes } of violations) failures.push(`${file} ${view.name}: ${id}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`);
  }
}

// A page without protection must be noticed.
await inspect(await open('../control.html', VIEWS[0]), 'control');
if (failures.filter((failure) => /script has run|requests|<script/.test(failure)).length < 3) {
  console.error('the test does not notice a page that runs a script', failures);
  process.exit(1);
}
failures.length = 0;

let count = 0;
for (const file of readdirSync(pages).sort()) {
  const page = await open(file, VIEWS[count % VIEWS.length]);
  await inspect(page, file);
  await page.close();
  count += 1;
}
for (const file of ['rich.html', 'tour.html']) {
  for (const view of VIEWS) {
    const page = await open(file, view);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > view.width) failures.push(`${file} ${view.name}: ${width} pixels wide`);
    const name = file.replace('.html', '');
    await page.screenshot({ path: join(out, `${name}-${view.name}.png`) });
    await page.screenshot({ path: join(out, `${name}-${view.name}-full.png`), fullPage: true });
    if (file === 'rich.html') {
      await page.click('.image summary');
      await page.screenshot({ path: join(out, `${name}-${view.name}-image.png`) });
      await page.click('.image summary');
    }
    await check(page, file, view);
    await page.close();
  }
}
await browser.close();
for (const failure of new Set(failures)) console.error(failure);
console.log(`${count} pages, ${failures.length} problems`);
process.exit(failures.length === 0 ? 0 : 1);
