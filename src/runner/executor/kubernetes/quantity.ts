const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,2}))?$/

const MAX_DIGITS = 30

/** Powers of ten of the suffixes, in units of 10^-9, which is the smallest unit of the API. */
const DECIMAL: Record<string, number> = { n: 0, u: 3, m: 6, k: 12, M: 15, G: 18, T: 21, P: 24, E: 27 }
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** A quantity of the API such as `1.5`, `500m` or `2Gi`, in units of 10^-9. Undefined if it is none, or negative. */
export function parseQuantity(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', suffix = '', exponent = '0'] = QUANTITY.exec(text) ?? []
  const digits = whole + fraction
  if (sign === undefined || sign === '-' || digits === '' || digits.length > MAX_DIGITS) return undefined
  const binary = BINARY.indexOf(suffix) + 1
  const power = (DECIMAL[suffix] ?? 9) + Number(exponent) - fraction.length
  const value = BigInt(digits) * 1024n ** BigInt(binary)
  return power >= 0 ? value * 10n ** BigInt(power) : value / 10n ** BigInt(-power)
}

/** Whether the first quantity is more than the second. Both must be valid. */
export function isMore(text: string, other: string): boolean {
  return (parseQuantity(text) ?? 0n) > (parseQuantity(other) ?? 0n)
}
