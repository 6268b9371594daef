/** Fonts for sharp's text engine. */

/** Makes our fonts known. Called once, before sharp is imported: it looks for fonts only then. */
export function setUpFonts(): Promise<void> {
  return Promise.resolve();
}
