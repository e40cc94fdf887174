const PACKAGES = [
  'zlib',
  'openssl',
  'curl',
  'git',
  'python',
  'perl',
  'sqlite',
  'libxml2',
  'icu',
  'boost',
  'cmake',
  'llvm',
  'gcc',
  'glibc',
  'ncurses',
  'readline',
  'bash',
  'coreutils',
  'tar',
  'gzip',
  'xz',
  'zstd',
  'pcre2',
  'expat',
  'freetype',
]

/**
 * A CI file of many jobs: each package is compiled, tested and packed, and some need others.
 * @param {number} jobs
 */
export function manyJobsFile(jobs) {
  const count = Math.floor((jobs - 2) / 3)
  const names = Array.from({ length: count }, (_none, index) => {
    const name = PACKAGES[index % PACKAGES.length] ?? 'zlib'
    return index < PACKAGES.length ? name : `${name}-${Math.floor(index / PACKAGES.length) + 1}`
  })
  const each = names.map((name, index) => {
    // A package needs the one of half its number: a tree of some depth.
    const base = index < 8 ? undefined : names[Math.floor(index / 3)]
    return `
compile ${name}:
  stage: compile
  needs: [prepare${base === undefined ? '' : `, compile ${base}`}]
  script: make ${name}

test ${name}:
  stage: test
  needs: [compile ${name}]
  script: make check-${name}

pack ${name}:
  stage: pack
  needs: [test ${name}]
  script: make package-${name}
`
  })
  return `stages: [prepare, compile, test, pack, index]
default: { tags: [linux] }

prepare: { stage: prepare, script: ./prepare.sh }
${each.join('')}
index: { stage: index, script: ./index.sh }
`
}
