/** File extensions by language; data formats and prose are not languages here. */
const EXTENSIONS: Record<string, string> = {
  Ada: 'adb ads',
  Assembly: 'asm s',
  Astro: 'astro',
  Awk: 'awk',
  Batchfile: 'bat cmd',
  Bicep: 'bicep',
  C: 'c h',
  'C#': 'cs',
  'C++': 'cpp cc cxx hpp hh hxx',
  CMake: 'cmake',
  COBOL: 'cob cbl',
  CSS: 'css',
  Clojure: 'clj cljs cljc',
  CoffeeScript: 'coffee',
  'Common Lisp': 'lisp lsp',
  Crystal: 'cr',
  Cuda: 'cu',
  Cython: 'pyx pxd',
  D: 'd',
  Dart: 'dart',
  Dockerfile: 'dockerfile',
  EJS: 'ejs',
  Elixir: 'ex exs',
  Elm: 'elm',
  'Emacs Lisp': 'el',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f f90 f95 for',
  GLSL: 'glsl vert frag',
  Go: 'go',
  Gherkin: 'feature',
  Groovy: 'groovy gradle',
  HCL: 'tf hcl',
  HTML: 'html htm xhtml',
  Haml: 'haml',
  Handlebars: 'hbs handlebars',
  Haskell: 'hs',
  Java: 'java',
  JavaScript: 'js mjs cjs jsx',
  Jinja: 'j2 jinja jinja2',
  'Jupyter Notebook': 'ipynb',
  Julia: 'jl',
  Kotlin: 'kt kts',
  Less: 'less',
  Liquid: 'liquid',
  Lua: 'lua',
  MATLAB: 'mlx',
  Makefile: 'mk mak',
  Mustache: 'mustache',
  Nim: 'nim',
  Nix: 'nix',
  'Objective-C': 'm',
  'Objective-C++': 'mm',
  OCaml: 'ml mli',
  PHP: 'php phtml',
  PLpgSQL: 'pgsql',
  Pascal: 'pas pp dpr',
  Perl: 'pl pm',
  Pug: 'pug',
  PowerShell: 'ps1 psm1 psd1',
  Prolog: 'pro',
  PureScript: 'purs',
  Python: 'py pyi pyw',
  QML: 'qml',
  R: 'r',
  Racket: 'rkt',
  Raku: 'raku rakumod',
  Ruby: 'rb rake gemspec ru',
  Rust: 'rs',
  SCSS: 'scss',
  Sass: 'sass',
  Scala: 'scala sc',
  Scheme: 'scm ss',
  Shell: 'sh bash zsh ksh bats',
  Slim: 'slim',
  Smalltalk: 'st',
  Solidity: 'sol',
  Starlark: 'bzl star',
  Stylus: 'styl',
  Svelte: 'svelte',
  Swift: 'swift',
  SystemVerilog: 'sv svh',
  TSQL: 'tsql',
  Tcl: 'tcl',
  TeX: 'tex sty cls',
  Twig: 'twig',
  TypeScript: 'ts mts cts tsx',
  VHDL: 'vhd vhdl',
  Vala: 'vala',
  Verilog: 'v',
  'Vim Script': 'vim',
  'Visual Basic .NET': 'vb',
  Vue: 'vue',
  WebAssembly: 'wat wast',
  XSLT: 'xsl xslt',
  Zig: 'zig',
  Fish: 'fish',
  HLSL: 'hlsl',
  Jsonnet: 'jsonnet libsonnet',
  Thrift: 'thrift',
  ERB: 'erb',
}

const NAMES: Record<string, string> = {
  makefile: 'Makefile',
  gnumakefile: 'Makefile',
  dockerfile: 'Dockerfile',
  containerfile: 'Dockerfile',
  rakefile: 'Ruby',
  gemfile: 'Ruby',
  vagrantfile: 'Ruby',
  podfile: 'Ruby',
  fastfile: 'Ruby',
  'cmakelists.txt': 'CMake',
  jenkinsfile: 'Groovy',
  build: 'Starlark',
  workspace: 'Starlark',
  justfile: 'Just',
  'meson.build': 'Meson',
  sconstruct: 'Python',
  '.bashrc': 'Shell',
  '.profile': 'Shell',
}

const BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
)

/** Third-party and generated files do not count. */
const FOREIGN =
  /(^|\/)(node_modules|bower_components|vendor|vendors|third[_-]?party|external|dist|Godeps|Pods|\.yarn)\/|\.min\.(js|css)$|\.(pb|generated)\.[a-z]+$|_pb2\.py$/i

/** Language of a file; undefined for data, prose and third-party files. */
export function languageOf(path: string): string | undefined {
  if (FOREIGN.test(path)) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (Object.hasOwn(NAMES, name)) return NAMES[name]
  const dot = name.lastIndexOf('.')
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1))
}

/** Percentages with two decimals, largest first. */
export function shares(bytes: { name: string; bytes: number }[]): Record<string, number> {
  const total = bytes.reduce((sum, one) => sum + one.bytes, 0)
  const sorted = [...bytes].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
  return Object.fromEntries(
    sorted.map(({ name, bytes: own }) => [name, Math.round((own / total) * 10_000) / 100]),
  )
}
