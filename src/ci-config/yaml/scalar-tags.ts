import type { ScalarTag } from 'yaml'

/**
 * Converts plain scalars by the rules of YAML 1.1 (CI language, 1.2). Stricter than the 1.1 schema of the
 * YAML library where common files depend on it: `y` and `n` are text, and so are `08`, `1e3` and a commit id
 * such as `1234e567`. Numbers with more than 64 digits stay text, because converting them is expensive.
 */
export const scalarTags: ScalarTag[] = [
  tag('null', /^(?:~|null|Null|NULL|)$/, () => null),
  tag('bool', /^(?:yes|true|on)$/i, () => true),
  tag('bool', /^(?:no|false|off)$/i, () => false),
  tag('int', /^[-+]?0b[01_]{1,64}$/, (text) => integer(text, '0b')),
  tag('int', /^[-+]?0x[\da-fA-F_]{1,64}$/, (text) => integer(text, '0x')),
  tag('int', /^[-+]?0[0-7_]{1,64}$/, (text) => integer(text, '0o')),
  tag('int', /^[-+]?(?:0|[1-9][\d_]{0,63})$/, (text) => integer(text, '')),
  tag('int', /^[-+]?\d[\d_]{0,63}(?::[0-5]?\d){1,2}$/, sexagesimal),
  tag('float', /^[-+]?\d[\d_]{0,63}(?::[0-5]?\d){1,2}\.\d[\d_]*$/, sexagesimalFloat),
  tag('float', /^[-+]?(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][-+]\d+)?$|^[-+]?\d[\d_]*\.(?:[eE][-+]\d+)?$/, float),
  tag('float', /^[-+]?\.inf$/i, (text) => (text.startsWith('-') ? -Infinity : Infinity)),
  tag('float', /^\.nan$/i, () => NaN),
  refused('Date', /^\d{4}-(?:1[012]|0?[1-9])-(?:3[01]|[12]\d|0?[1-9])$/),
  refused(
    'Time',
    /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$/,
  ),
]

function tag(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve }
}

/** The language has no dates. Treating a date as text would hide that other parsers see a different value. */
function refused(kind: string, test: RegExp): ScalarTag {
  return {
    tag: 'tag:yaml.org,2002:timestamp',
    default: true,
    test,
    resolve: (text, onError) => {
      onError(`Tried to load unspecified class: ${kind}`)
      return text
    },
  }
}

function integer(text: string, prefix: string): bigint {
  const digits = text
    .replace(/^[-+]/, '')
    .replaceAll('_', '')
    .slice(prefix === '0o' ? 1 : prefix.length)
  const value = BigInt(prefix + (digits === '' ? '0' : digits))
  return text.startsWith('-') ? -value : value
}

function float(text: string): number {
  return Number(text.replaceAll('_', ''))
}

/**
 * `12:30:00` is a sexagesimal number. For two parts, the parser of the reference server assumes hours and
 * minutes where YAML 1.1 has minutes and seconds, and this function returns the same number. It treats more
 * than three parts as text.
 */
function sexagesimal(text: string): bigint {
  const [hours = '0', minutes = '0', seconds = '0'] = text.replace(/^[-+]/, '').replaceAll('_', '').split(':')
  const value = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
  return text.startsWith('-') ? -value : value
}

function sexagesimalFloat(text: string): number {
  const [whole = '', digits = ''] = text.replace(/^[-+]/, '').split('.')
  const fraction = Number(`0.${digits.replaceAll('_', '')}`) * (whole.split(':').length === 2 ? 60 : 1)
  const size = Number(sexagesimal(whole)) + fraction
  return text.startsWith('-') ? -size : size
}
