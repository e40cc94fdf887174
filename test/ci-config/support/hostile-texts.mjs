/** @param {number} n @param {(index: number) => string} f */
const rep = (n, f) => Array.from({ length: n }, (_, i) => f(i)).join('')
const MB2 = 2_000_000
const J = '\nj: {script: x}\n'

/**
 * CI files that are made to cost much: as long as the language lets them be, or with little that stands for much. Made when
 * they are wanted, for together they take more room than any of them may.
 *
 * @type {Record<string, () => string>}
 */
export const hostileTexts = {
  small: () => 'j: {script: x}\n',
  unclosed_dquote: () => 'a: "' + 'x'.repeat(MB2),
  unclosed_squote: () => "a: '" + 'x'.repeat(MB2),
  unclosed_dquote_lines: () => 'a: "' + 'x y\n  '.repeat(MB2 / 6),
  unclosed_flow: () => 'a: [' + 'x, '.repeat(MB2 / 3),
  escapes: () => 'a: "' + '\\n'.repeat(MB2 / 2 - 20) + '"' + J,
  escapes_u: () => 'a: "' + '\\u0041'.repeat(MB2 / 6 - 20) + '"' + J,
  escapes_x: () => 'a: "' + '\\x41'.repeat(MB2 / 4 - 20) + '"' + J,
  squotes: () => "a: '" + "''".repeat(MB2 / 2 - 20) + "'" + J,
  wrong_jobs: () => rep(12000, (i) => `j${i}: {script: x, foo: 1}\n`),
  wrong_jobs_block: () => rep(12000, (i) => `j${i}:\n  script: x\n  foo: 1\n  when: never\n`),
  bomb: () =>
    [
      '.a0: &a0 [x]',
      ...Array.from({ length: 30 }, (_, i) => `.a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`),
    ].join('\n'),
  many_aliases: () => '.a: &a x\n.b: [' + '*a, '.repeat(400000) + ']' + J,
  many_anchors: () => rep(60000, (i) => `.k${i}: &a${i} x\n`) + J,
  deep_list: () => 'a: ' + '['.repeat(20000),
  deep_list_2mb: () => 'a: ' + '['.repeat(MB2),
  deep_map: () => 'a: ' + '{a: '.repeat(500000 - 10),
  deep_block: () => rep(1900, (i) => ' '.repeat(i) + 'a:\n'),
  deep_seq: () => 'a:\n' + '- '.repeat(MB2 / 2),
  huge: () => `a: {script: x}\n# ${'x'.repeat(3_000_000)}`,
  huge_plain: () => 'a: ' + 'x '.repeat(MB2 / 2 - 10) + J,
  comments: () => '# x\n'.repeat(MB2 / 4 - 10) + J,
  empty_lines: () => '\n'.repeat(MB2 - 30) + J,
  blanks: () => ' '.repeat(MB2 - 30) + J,
  tabs: () => '\t'.repeat(MB2 - 30) + J,
  colons: () => ': '.repeat(MB2 / 2 - 10),
  questions: () => '? '.repeat(MB2 / 2 - 10),
  dashes: () => '---\n'.repeat(MB2 / 4 - 10),
  doc_separators_words: () => '--- x\n'.repeat(MB2 / 6 - 10),
  block_scalar: () => 'a: |\n' + '  xxxxxxxxxx\n'.repeat(MB2 / 13 - 10) + J,
  folded: () => 'a: >\n' + '  xx\n'.repeat(MB2 / 5 - 10) + J,
  folded_blank: () => 'a: >\n' + '  x\n\n'.repeat(MB2 / 5 - 10) + J,
  tags: () => 'a: ' + '!x '.repeat(MB2 / 3),
  tagged: () => 'a: [' + '!!str x, '.repeat(MB2 / 9 - 10) + ']' + J,
  references: () => 'a: [' + '!reference [b], '.repeat(MB2 / 16 - 10) + ']' + J,
  merge: () => '.b: &b {a: 1}\n.c: {' + '<<: *b, '.repeat(MB2 / 8 - 10) + '}' + J,
  merge_chain: () =>
    '.b0: &b0 {k: 1}\n' + rep(20000, (i) => `.b${i + 1}: &b${i + 1} {<<: *b${i}, k${i}: 1}\n`) + J,
  merge_lists: () =>
    '.b: &b {' + rep(2000, (i) => `k${i}: 1, `) + '}\n' + rep(400, (i) => `.m${i}: {<<: [*b, *b]}\n`) + J,
  dup_keys: () => 'a: x\n'.repeat(MB2 / 5 - 10) + J,
  keys: () => rep(80000, (i) => `.k${i}: 1\n`) + J,
  long_key: () => 'x'.repeat(MB2 - 30) + ': 1' + J,
  directive: () => '%YAML 1.1\n'.repeat(MB2 / 10 - 10) + J,
  carriage: () => 'a: x\r'.repeat(MB2 / 5 - 10) + J,
  ints: () => 'a: [' + '1_0:30, '.repeat(MB2 / 8 - 10) + ']' + J,
  long_int: () => 'a: ' + '9'.repeat(MB2 - 30) + J,
  long_float: () => 'a: 0.' + '9'.repeat(MB2 - 30) + J,
  long_base60: () => 'a: ' + '1:'.repeat(MB2 / 2 - 30) + '1' + J,
  long_hex: () => 'a: 0x' + 'f'.repeat(MB2 - 30) + J,
  script_lines: () => 'j: {script: [' + 'x, '.repeat(MB2 / 3 - 20) + ']}\n',
  needs_many: () =>
    rep(3000, (i) => `j${i}: {script: x, needs: [${rep(30, (k) => `j${(i + k) % 3000}, `)}]}\n`),
  extends_wide: () => '.b: {script: x}\n' + 'j: {extends: [' + '.b, '.repeat(MB2 / 4 - 20) + ']}\n',
  extends_chain: () =>
    '.e0: {script: x}\n' + rep(30000, (i) => `.e${i + 1}: {extends: .e${i}}\n`) + 'j: {extends: .e30000}\n',
  extends_fan: () =>
    '.b: {variables: {' +
    rep(3000, (i) => `V${i}: x, `) +
    '}, script: x}\n' +
    rep(3000, (i) => `j${i}: {extends: .b}\n`),
  matrix: () =>
    'j: {script: x, parallel: {matrix: [{' + rep(100, (i) => `V${i}: [${'x,'.repeat(100)}], `) + '}]}}\n',
  matrix_jobs: () => rep(2000, (i) => `j${i}: {script: x, parallel: 200}\n`),
  rules_many: () =>
    rep(1000, (i) => `j${i}: {script: x, rules: [${rep(40, (k) => `{if: '$A${k} == "x"'}, `)}]}\n`),
  long_if: () => `j: {script: x, rules: [{if: '${'$A && '.repeat(MB2 / 6 - 20)}$A'}]}\n`,
  long_if_parens: () => `j: {script: x, rules: [{if: '${'('.repeat(MB2 - 100)}'}]}\n`,
  regex: () => `j: {script: x, rules: [{if: '$CI_COMMIT_BRANCH =~ /(a*)*${'(x+x+)+'.repeat(2000)}y/'}]}\n`,
  regex_many: () =>
    rep(3000, (i) => `j${i}: {script: x, rules: [{if: '$CI_COMMIT_BRANCH =~ /^(a|b|c${i}){1,500}$/'}]}\n`),
  globs: () => `j: {script: x, rules: [{changes: [${rep(50, (i) => `"${'**/*'.repeat(500)}${i}", `)}]}]}\n`,
  globs_brace: () =>
    `j: {script: x, rules: [{exists: [${rep(50, (i) => `"${'{a,b}'.repeat(200)}${i}", `)}]}]}\n`,
  variables_nested: () =>
    'variables: {' +
    rep(200, (i) => `V${i}: "$V${i + 1}$V${i + 1}", `) +
    'V200: xxxxxxxxxx}\nj: {script: x, tags: [$V0], environment: {name: $V0}}\n',
  include_self: () => 'include: .gitlab-ci.yml' + J,
  include_many: () => 'include: [' + 'a.yml, '.repeat(MB2 / 7 - 20) + ']' + J,
  inputs_many: () =>
    'spec: {inputs: {' + rep(20000, (i) => `i${i}: {default: x}, `) + '}}\n---\nj: {script: x}\n',
  interpolation: () =>
    'spec: {inputs: {i: {default: x}}}\n---\nj: {script: ["' + '$[[ inputs.i ]]'.repeat(60000) + '"]}\n',
  interpolation_open: () =>
    'spec: {inputs: {i: {default: x}}}\n---\nj: {script: ["' + '$[['.repeat(600000) + '"]}\n',
  workflow: () => 'workflow: {rules: [' + '{if: $A}, '.repeat(MB2 / 10 - 20) + ']}' + J,
  durations: () => rep(20000, (i) => `j${i}: {script: x, timeout: ${'1h '.repeat(10)}}\n`),
  duration_long: () => `j: {script: x, timeout: ${'1h '.repeat(MB2 / 3 - 30)}}\n`,
  control: () => 'a: ' + '\0'.repeat(MB2 - 30) + J,
  unicode: () => 'a: ' + '\u{1F600}'.repeat(400_000) + J,
  backslashes: () => 'a: "' + '\\\n'.repeat(MB2 / 2 - 20) + '"' + J,
  wrong_needs: () => rep(12000, (i) => `j${i}: {script: x, needs: [nobody${i}]}\n`),
  wrong_stage: () => rep(12000, (i) => `j${i}: {script: x, stage: s${i}}\n`),
  wrong_script: () => rep(20000, (i) => `j${i}: {script: 1}\n`),
  no_script: () => rep(40000, (i) => `j${i}: {stage: x}\n`),
  scalars_jobs: () => rep(100000, (i) => `j${i}: x\n`),
}
