const UNITS: Record<string, number> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

/**
 * Parses sizes such as `512m`, `1.5g`, `2048` or `64kb` into bytes (runner protocol, 9.4). Returns undefined for
 * other texts.
 */
export function parseByteSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([bkmgt]?)(?:i?b)?$/i.exec(text.trim())
  if (!match) return undefined
  return Math.floor(Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] ?? 1))
}
