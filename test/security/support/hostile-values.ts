/** A text that parsers, databases, file systems or programs may take for something else. */
export interface HostileText {
  /** For messages. */
  title: string
  /** Absent for bytes that no string can hold. */
  text?: string
  /** The value in a path, a query or a form; absent for a text that only JSON can carry. */
  encoded?: string
  /** No store and no file name can contain the text, so every parameter rejects it. */
  isUnstorable?: true
}

const RIGHT_TO_LEFT_OVERRIDE = '\u202e'
const ZERO_WIDTH_SPACE = '\u200b'

const TEXTS: Record<string, string> = {
  'an empty text': '',
  'only spaces': '   ',
  'only line ends': '\r\n',
  'a control character': '\x01',
  'a control character within': 'a\x1b[31mb',
  'a delete character': 'a\x7f',
  'a C1 control character': 'a\x85b',
  'a line end within': 'a\r\nSet-Cookie: a=b',
  'a tab': 'a\tb',
  '64 KiB': 'x'.repeat(65_536),
  '64 KiB of three-byte characters': '\u20ac'.repeat(21_845),
  '300 characters': 'n'.repeat(300),
  'a parent directory': '..',
  'parent directories': '../../../../etc/passwd',
  'parent directories of Windows': '..\\..\\windows\\win.ini',
  'an absolute path': '/etc/passwd',
  'a trailing slash': 'a/',
  'two slashes': 'a//b',
  'an encoded slash': 'a%2Fb',
  'an encoded NUL': 'a%00b',
  'an option': '-x',
  'a long option': '--output=/tmp/x',
  'an option with an argument': '-cprotocol.ext.allow=always',
  'a remote helper': 'ext::sh -c id',
  'a revision expression': 'HEAD^{tree}',
  'a range of revisions': 'a..b',
  'a name of a ref': 'refs/heads/main',
  'a ref with a lock suffix': 'main.lock',
  'a pathspec with magic': ':(top,glob)**',
  quotes: `'"\``,
  'an SQL condition': "1' or '1'='1",
  'wildcards of SQL': '%_\\',
  'a regular expression': '(a+)+$',
  'a broken regular expression': '([',
  markup: '<script>alert(1)</script>',
  'a template': '${{ inputs.x }} $VAR %{x} {{x}}',
  'a prototype': '__proto__',
  'an inherited name': 'constructor',
  'a right-to-left override': `a${RIGHT_TO_LEFT_OVERRIDE}b`,
  'a zero-width space': `a${ZERO_WIDTH_SPACE}b`,
  'a byte order mark': '\ufeffa',
  'a combining sequence': `e${'\u0301'.repeat(100)}`,
  'a character outside of the basic plane': '\u{1f600}',
  'a character that is not assigned': '\uffff',
  'a number as text': '9007199254740993',
  'a script address': 'javascript:alert(1)',
  'a file address': 'file:///etc/passwd',
  'an address with a line end': 'https://a.example/\r\nX: y',
  'a time out of range': '9999-99-99T99:99:99Z',
  'the last time': '9999-12-31T23:59:59Z',
  'the first time': '0000-01-01T00:00:00Z',
}

const UNSTORABLE: Record<string, string> = {
  'a NUL': 'a\0b',
  'only a NUL': '\0',
  'a high surrogate alone': 's\ud800',
  'a low surrogate alone': '\udc00s',
  'surrogates in the wrong order': '\udc00\ud800',
}

const BYTES: Record<string, string> = {
  'an overlong slash': '..%c0%af..%c0%afetc',
  'an encoded surrogate': 'a%ed%a0%80',
  'a byte that begins no character': '%ff',
  'a character that breaks off': '%e2%82',
  'an encoding that is none': '%zz',
  'a double encoding': '%252e%252e%252f',
}

export const HOSTILE_TEXTS: readonly HostileText[] = [
  ...Object.entries(TEXTS).map(([title, text]) => ({ title, text, encoded: encodeURIComponent(text) })),
  ...Object.entries(UNSTORABLE).map(([title, text]): HostileText => {
    return {
      title,
      text,
      isUnstorable: true,
      ...(text.includes('\0') && { encoded: encodeURIComponent(text) }),
    }
  }),
  ...Object.entries(BYTES).map(([title, encoded]) => ({ title, encoded })),
]

/** Numbers as they are written in JSON, in a query and in a path. */
export const HOSTILE_NUMBERS: readonly string[] = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e2',
  '1e-400',
  '1e400',
  '0x10',
  '01',
  '+1',
  ' 1',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '1'.repeat(400),
  'NaN',
  'Infinity',
  '-Infinity',
  '',
]
