const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ITEM = /^(\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[)[ xX](?=\]\s+\S)/

/** Positions of the marks of task lists in a text in Markdown, `- [ ] open` and `- [x] done`, outside code blocks. */
export function taskMarks(markdown: string): number[] {
  const marks: number[] = []
  let fence: string | undefined
  let start = 0
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
    } else if (mark !== undefined) {
      fence = mark
    } else {
      const before = ITEM.exec(line)?.[1]
      if (before !== undefined) marks.push(start + before.length)
    }
    start += line.length + 1
  }
  return marks
}

/** The text with one task done, or open. */
export function withTask(markdown: string, index: number, isDone: boolean): string {
  const at = taskMarks(markdown)[index]
  if (at === undefined) return markdown
  return markdown.slice(0, at) + (isDone ? 'x' : ' ') + markdown.slice(at + 1)
}
