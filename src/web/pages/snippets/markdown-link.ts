/** A link in Markdown; marks in the title stay text. */
export function markdownLink(title: string, url: string): string {
  return `[${title.replace(/[\\[\]`*_<>!]/g, String.raw`\$&`)}](${url})`
}
