interface EnvEntry {
  key: string
  value: string
}

export interface EnvFile {
  entries: EnvEntry[]
  /** Numbers of lines that are no assignments, from 1. */
  wrong: number[]
}

/**
 * Reads the text of a `.env` file: `KEY=value`, optionally after `export`, with quotes around the value, comments and empty
 * lines. In double quotes, `\n` is a line break; a quoted value may go over several lines.
 */
export function readEnvFile(text: string): EnvFile {
  const entries: EnvEntry[] = []
  const wrong: number[] = []
  const lines = text.split(/\r?\n/)
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, key, rest] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? []
    if (key === undefined || rest === undefined) {
      wrong.push(index + 1)
      continue
    }
    const quote = /^["']/.exec(rest)?.[0]
    if (quote === undefined) {
      entries.push({ key, value: rest.replace(/\s+#.*$/, '').trim() })
      continue
    }
    const first = index
    let value = rest.slice(1)
    while (!endOf(value, quote) && index + 1 < lines.length) {
      index += 1
      value += `\n${lines[index] ?? ''}`
    }
    const end = endOf(value, quote)
    if (!end) {
      wrong.push(first + 1)
      index = first
      continue
    }
    const inner = value.slice(0, end.index)
    entries.push({ key, value: quote === '"' ? unescaped(inner) : inner })
  }
  return { entries, wrong }
}

/** Where the closing quote is, behind which only a comment may follow. */
function endOf(value: string, quote: string): { index: number } | undefined {
  const pattern = quote === '"' ? /(?<!\\)(?:\\\\)*"\s*(?:#.*)?$/ : /'\s*(?:#.*)?$/
  const found = pattern.exec(value)
  return found ? { index: value.indexOf(quote, found.index) } : undefined
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_match, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? letter)
}
