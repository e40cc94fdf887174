/** `output`: what it prints when it fails. @typedef {{ name: string, file: string, flaky?: number, output?: string }} TestCase */

/** @param {string} file @param {string[]} names @param {Record<string, number>} [flaky] */
const of = (file, names, flaky = {}) =>
  names.map((name) => ({ name, file, ...(flaky[name] !== undefined && { flaky: flaky[name] }) }))

/** Tests that jobs report, by suite. `flaky` is how often one fails without a reason. @satisfies {Record<string, TestCase[]>} */
export const suites = {
  go: [
    ...of(
      'tiles',
      ['TestParseTile', 'TestEmptyTile', 'TestTileAtAntimeridian', 'TestSimplify', 'TestCacheEviction'],
      { TestCacheEviction: 0.015 },
    ),
    ...of('search', ['TestRank', 'TestFoldAccents', 'TestCoordinates', 'TestTypos', 'TestEmptyQuery']),
    ...of('route', ['TestShortest', 'TestFerries', 'TestTurnRestrictions', 'TestElevation', 'TestDetour']),
    ...of('geo', ['TestDistance', 'TestBearing', 'TestBounds', 'TestHash']),
  ],
  'go-integration': [
    ...of(
      'integration',
      [
        'TestSearchOverHTTP',
        'TestTilesFromDatabase',
        'TestRouteWithTraffic',
        'TestReconnect',
        'TestSlowQueryIsLogged',
      ],
      { TestReconnect: 0.05 },
    ),
  ],
  vitest: [
    ...of('map/camera', [
      'keeps the zoom when the window is resized',
      'stops at the poles',
      'moves with the arrow keys',
      'flies to a place',
    ]),
    ...of('map/labels', ['draws labels above roads', 'hides labels that overlap', 'wraps long names']),
    ...of('search/search-box', [
      'opens the first result with Enter',
      'keeps the query',
      'announces the results',
    ]),
    ...of('print/print-view', ['fits one page', 'prints the scale']),
  ],
  playwright: [
    ...of(
      'tests/camera.spec.ts',
      ['keeps its place while tiles load', 'zooms with the wheel', 'moves with the arrow keys'],
      { 'keeps its place while tiles load': 0.05 },
    ),
    ...of('tests/search.spec.ts', ['finds a city', 'finds coordinates', 'says that nothing was found'], {
      'finds a city': 0.02,
    }),
    ...of('tests/print.spec.ts', ['prints one page', 'prints the route']),
  ],
  android: of(
    'example.atlas.MapTest',
    ['opensOffline', 'survivesRotation', 'asksForLocationOnce', 'downloadsInBackground'],
    { survivesRotation: 0.05 },
  ),
  ios: of(
    'AtlasTests',
    ['testCompassIsInSafeArea', 'testOfflineMap', 'testWidget', 'testHaptics', 'testSpeech'],
    { testCompassIsInSafeArea: 0.07, testWidget: 0.02 },
  ),
  pytest: [
    ...of('tests/test_radar.py', ['test_gap_is_filled', 'test_projection', 'test_night'], {
      test_gap_is_filled: 0.08,
    }),
    ...of('tests/test_model.py', ['test_predict', 'test_shapes', 'test_checkpoint']),
    ...of('tests/test_fetch.py', ['test_retry', 'test_resume']),
  ],
}

/**
 * Tests that branches add, which fail there each time, with the job that runs them.
 * @type {Record<string, { job: string, test: TestCase }>}
 */
const failingOnBranches = {
  '2-tiles-at-the-date-line': {
    job: 'unit 2/4',
    test: {
      name: 'TestNoColumns',
      file: 'internal/tiles/column_test.go',
      output: 'internal/tiles/column_test.go:13: got nil, want an empty list',
    },
  },
}

/**
 * Runs the tests of a suite.
 * @param {keyof typeof suites} suite
 * @param {import('./random.mjs').Random} random
 * @param {{ isBroken: boolean, branch: string, job: string }} run `isBroken`: whether a test must fail
 */
export function runTests(suite, random, { isBroken, branch, job }) {
  /** @type {readonly TestCase[]} */
  const cases = suites[suite]
  const broken = isBroken ? random.pick(cases) : undefined
  const results = cases.map((test) => ({
    test,
    failed: test === broken || random.chance(test.flaky ?? 0),
    skipped: random.chance(0.01),
    seconds: random.between(0.02, 6),
  }))
  const added = failingOnBranches[branch]
  if (added?.job === job) results.push({ test: added.test, failed: true, skipped: false, seconds: 0.01 })
  return results
}

/**
 * The JUnit report of tests.
 * @param {string} suite
 * @param {ReturnType<typeof runTests>} results
 */
export function junitOf(suite, results) {
  const cases = results.map(({ test, failed, skipped, seconds }) => {
    const inner = failed ? failureOf(test) : skipped ? '<skipped/>' : ''
    return `<testcase classname="${test.file}" name="${test.name}" file="${test.file}" time="${seconds.toFixed(3)}">${inner}</testcase>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="${suite}" tests="${results.length}">${cases.join('')}</testsuite></testsuites>`
}

/** @param {TestCase} test */
function failureOf({ file, output }) {
  const [message, text] =
    output === undefined
      ? ['expected 4, received 3', `at ${file}:41\nexpected 4\nreceived 3`]
      : [output, output]
  return `<failure message="${message}" type="AssertionError">${text}</failure>`
}
