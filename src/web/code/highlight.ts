/** A piece of a line of code: its text, and the kind of token, such as `keyword`. */
export type CodePiece = readonly [text: string, kind?: string]

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** The lines of markup that highlight.js has made of a text. Its spans may go over the end of a line. */
export function linesOfMarkup(markup: string): CodePiece[][] {
  const lines: CodePiece[][] = [[]]
  const open: (string | undefined)[] = []
  for (const [part, kind] of markup.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (kind !== undefined) open.push(kindOf(kind) ?? open.at(-1))
    else if (part === '</span>') open.pop()
    else addText(lines, unescape(part), open.at(-1))
  }
  return lines
}

function addText(lines: CodePiece[][], text: string, kind: string | undefined): void {
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) lines.push([])
    if (part !== '') lines.at(-1)?.push(kind === undefined ? [part] : [part, kind])
  }
}

function unescape(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** The color of each class of highlight.js; those that are missing have the color of the text around them. */
const KINDS: Record<string, string> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  operator: 'keyword',
  built_in: 'type',
  type: 'type',
  class: 'type',
  literal: 'number',
  number: 'number',
  symbol: 'number',
  bullet: 'number',
  string: 'string',
  regexp: 'string',
  char: 'string',
  'template-tag': 'keyword',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  meta: 'meta',
  title: 'title',
  section: 'title',
  'selector-id': 'title',
  'selector-class': 'title',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  'selector-attr': 'attribute',
  'selector-pseudo': 'attribute',
  variable: 'variable',
  'template-variable': 'variable',
  tag: 'tag',
  name: 'tag',
  link: 'string',
  addition: 'string',
  deletion: 'tag',
  subst: 'plain',
}

function kindOf(classes: string): string | undefined {
  return KINDS[classes.split(' ')[0]?.replace('hljs-', '') ?? '']
}

/** Names of the languages of highlight.js, by file name or by its extension. */
const LANGUAGES: Record<string, string> = {
  bash: 'bash sh zsh .bashrc .profile',
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh',
  csharp: 'cs',
  css: 'css',
  dart: 'dart',
  diff: 'diff patch',
  dockerfile: 'dockerfile containerfile',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  go: 'go',
  gradle: 'gradle',
  graphql: 'graphql gql',
  groovy: 'groovy jenkinsfile',
  haskell: 'hs',
  ini: 'ini toml cfg conf properties editorconfig',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  json: 'json jsonc json5 webmanifest',
  kotlin: 'kt kts',
  less: 'less',
  lua: 'lua',
  makefile: 'makefile mk',
  markdown: 'md markdown mkd',
  nginx: 'nginx',
  objectivec: 'm mm',
  perl: 'pl pm',
  php: 'php',
  powershell: 'ps1 psm1',
  protobuf: 'proto',
  python: 'py pyi pyw',
  r: 'r',
  ruby: 'rb rake gemspec gemfile rakefile',
  rust: 'rs',
  scala: 'scala sbt',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts mts cts tsx',
  vim: 'vim',
  xml: 'xml html htm svg vue xsd xsl plist',
  yaml: 'yaml yml',
}

const BY_NAME = new Map(
  Object.entries(LANGUAGES).flatMap(([language, names]) =>
    names.split(' ').map((name) => [name, language] as const),
  ),
)

/** The language of a file, as highlight.js names it. Undefined for texts without one. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return BY_NAME.get(name) ?? BY_NAME.get(extension)
}
