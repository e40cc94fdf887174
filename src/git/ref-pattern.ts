/** Whether a branch or tag name matches the pattern, in which `*` stands for any text, including slashes. */
export function matchesRefPattern(pattern: string, name: string): boolean {
  const [head = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return pattern === name
  const tail = parts.pop() ?? ''
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false
  // Each part is matched at its first position after the previous one, so the time is linear for every pattern.
  let from = head.length
  for (const part of parts) {
    const found = name.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return from <= name.length - tail.length
}
