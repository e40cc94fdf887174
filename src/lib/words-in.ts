/** The words of a text, each once; white space separates them. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean))]
}
