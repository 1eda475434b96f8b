import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';

const screens = [
  ['/', 'Home'],
  ['/hosts', 'Hosts'],
  ['/hosts/new', 'Add a host'],
  ['/targets', 'Targets'],
  ['/targets/new', 'Add a target'],
  ['/targets/sandbox', 'sandbox'],
  ['/plans', 'Plans'],
  ['/plans/new', 'New benchmark'],
  ['/runs', 'Runs'],
  ['/compare', 'Compare'],
  ['/settings', 'Settings'],
  ['/nowhere', 'Nothing here'],
] as const;

for (const scheme of ['light', 'dark'] as const) {
  test(`no screen breaks a rule of accessibility, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const [address, title] of screens) {
      await page.evaluate((hash) => {
        window.location.hash = hash;
      }, address);
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      // Not in legacy mode axe opens a page of its own, which a desktop window does not have.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`,
      );
      expect(found, `${title}, ${scheme}`).toEqual([]);
    }
  });
}

test('no screen scrolls sideways, at 1280 × 800 nor at twice the size', async ({ page }) => {
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: width * 0.625 });
    for (const [address, title] of screens) {
      await page.evaluate((hash) => {
        window.location.hash = hash;
      }, address);
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over, `${title} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});
