import type { Page } from 'playwright-core';

/**
 * Script that records layout shifts in the browser. It delays each response by a few frames, and by more
 * frames if several requests are open. So the browser shows every state that a slow network would show.
 */
const RECORD = `
  {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const boxOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    const nameOf = (node) => {
      const element = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
      const text = (element?.textContent ?? '').slice(0, 40);
      return (element?.tagName.toLowerCase() ?? '?') + ' "' + text + '"';
    };
    const shifts = [];
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    // A change by less than a pixel, as by a right-aligned duration that gets another text, is no shift.
    const hasMoved = ({ previousRect, currentRect }) => boxOf(previousRect) !== boxOf(currentRect);
    const note = (entries) => {
      for (const { value, hadRecentInput, sources } of entries)
        if (!hadRecentInput && sources.some(hasMoved))
          shifts.push(
            value.toFixed(4) + ': ' +
              sources
                .map(({ node, previousRect, currentRect }) =>
                  nameOf(node) + ' from ' + boxOf(previousRect) + ' to ' + boxOf(currentRect))
                .join('; '),
          );
    };
    observer.observe({ type: 'layout-shift', buffered: true });
    window.takeShifts = () => {
      note(observer.takeRecords());
      return shifts.splice(0);
    };

    let open = 0;
    const { fetch } = window;
    window.fetch = async (...request) => {
      open += 1;
      const frames = 2 + open;
      try {
        const response = await fetch(...request);
        for (let passed = 0; passed < frames; passed += 1) await frame();
        return response;
      } finally {
        open -= 1;
      }
    };
    window.isQuiet = async () => {
      for (let quiet = 0; quiet < 5; quiet = open === 0 ? quiet + 1 : 0) await frame();
    };
  }
`;

/** Records the layout shifts of a page from its first paint. */
export class LayoutShifts {
  private constructor(private readonly page: Page) {}

  static async watch(page: Page): Promise<LayoutShifts> {
    await page.addInitScript(RECORD);
    return new LayoutShifts(page);
  }

  /** Waits until the page has had no open request for five frames. */
  async quiet(): Promise<void> {
    await this.page.evaluate('isQuiet()');
  }

  /**
   * Returns and clears the recorded layout shifts, except shifts that user input caused. One line per shift: its value,
   * and the old and new positions of its elements.
   */
  take(): Promise<readonly string[]> {
    return this.page.evaluate<readonly string[]>('takeShifts()');
  }
}
