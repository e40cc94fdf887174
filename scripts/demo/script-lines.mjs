/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {{ random: Random, name: string, ok: boolean, variables: Map<string, string> }} Run */

const GREEN = '\x1b[32m'
const RED = '\x1b[31m'
const YELLOW = '\x1b[33m'
const CYAN = '\x1b[36m'
const GRAY = '\x1b[90m'
const BOLD = '\x1b[1m'
const END = '\x1b[0m'

const GO_PACKAGES = [
  'tiles',
  'search',
  'route',
  'geo',
  'cache',
  'render',
  'labels',
  'store',
  'auth',
  'metrics',
]
const WEB_FILES = [
  'map/map-view',
  'map/camera',
  'map/labels',
  'search/search-box',
  'search/results',
  'route/route-panel',
  'print/print-view',
  'settings/theme',
]
const PYTHON_MODULES = ['fetch', 'model', 'train', 'evaluate', 'radar', 'grid']
const RESOURCES = [
  'aws_vpc.this',
  'aws_subnet.private[0]',
  'aws_subnet.private[1]',
  'aws_eks_cluster.this',
  'aws_eks_node_group.tiles',
  'aws_db_instance.geo',
  'aws_route53_record.api',
]

/**
 * @template T
 * @param {number} count
 * @param {(index: number) => T} make
 */
const many = (count, make) => Array.from({ length: count }, (_none, index) => make(index))

/** @param {Random} random */
const seconds = (random, low = 0.1, high = 9) => random.between(low, high).toFixed(2)

/** Lines that the script of a job prints. @satisfies {Record<string, (run: Run) => string[]>} */
export const lines = {
  golangci: ({ random, ok }) => [
    'level=info msg="[config_reader] Used config file .golangci.yml"',
    `level=info msg="[lintersdb] Active 24 linters: [errcheck govet staticcheck unused revive gocritic …]"`,
    ...many(
      random.whole(8, 16),
      () =>
        `${GRAY}level=info msg="[runner] ${random.pick(GO_PACKAGES)}: ${random.whole(3, 80)} files in ${random.whole(20, 900)}ms"${END}`,
    ),
    ...(ok
      ? [`${GREEN}0 issues.${END}`]
      : [
          `internal/tiles/cache.go:${random.whole(4, 90)}:6: ${RED}type cache is unused (unused)${END}`,
          'type cache struct {',
          '     ^',
          '1 issue.',
        ]),
  ],
  govulncheck: ({ random, ok }) => [
    'all modules verified',
    `Scanning your code and ${random.whole(180, 240)} packages across 31 dependent modules for known vulnerabilities...`,
    '',
    ...(ok
      ? [`${GREEN}No vulnerabilities found.${END}`]
      : [
          `${BOLD}Vulnerability #1: GO-2026-${random.whole(3000, 4999)}${END}`,
          '    Memory exhaustion in header parsing in net/http',
          `  Found in: net/http@go1.25.5`,
          `  Fixed in: net/http@go1.25.6`,
          `    ${YELLOW}#1: cmd/atlas/main.go:15:10: main.main calls http.ListenAndServe${END}`,
          '',
          `${RED}Your code is affected by 1 vulnerability from the Go standard library.${END}`,
        ]),
  ],
  'go-build': ({ random, ok }) => [
    ...many(
      random.whole(20, 34),
      () =>
        `${GRAY}go: downloading github.com/${random.pick(['jackc/pgx', 'redis/go-redis', 'prometheus/client_golang', 'klauspost/compress', 'paulmach/orb', 'tidwall/rtree'])}/v${random.whole(2, 9)} v${random.whole(2, 9)}.${random.whole(0, 20)}.${random.whole(0, 9)}${END}`,
    ),
    ...(ok
      ? [...GO_PACKAGES.map((name) => `atlas.example/api/internal/${name}`), 'atlas.example/api/cmd/atlas']
      : [
          `# atlas.example/api/internal/search`,
          `${RED}internal/search/rank.go:41:17: undefined: place.Population${END}`,
        ]),
  ],
  'go-test': ({ random, ok }) => {
    const broken = random.pick(GO_PACKAGES)
    return [
      ...GO_PACKAGES.flatMap((name) => [
        ...many(
          random.whole(3, 9),
          (index) =>
            `=== RUN   Test${name[0]?.toUpperCase() ?? ''}${name.slice(1)}/${random.pick(['empty', 'one_tile', 'antimeridian', 'unicode', 'large', 'concurrent'])}_${index}`,
        ),
        ...(name === broken && !ok
          ? [
              `    ${name}_test.go:${random.whole(20, 200)}: ${RED}got 4 results, want 3${END}`,
              `${RED}--- FAIL: Test${name[0]?.toUpperCase() ?? ''}${name.slice(1)} (${seconds(random)}s)${END}`,
              `${RED}FAIL${END}\tatlas.example/api/internal/${name}\t${seconds(random)}s`,
            ]
          : [
              `${GREEN}ok${END}  \tatlas.example/api/internal/${name}\t${seconds(random)}s\tcoverage: ${random.between(71, 96).toFixed(1)}% of statements`,
            ]),
      ]),
      ...(ok
        ? [`total:\t(statements)\t${random.between(82, 86).toFixed(1)}%`]
        : [`${RED}FAIL${END}`, 'make: *** [Makefile:2: integration] Error 1']),
    ]
  },
  'go-bench': ({ random }) => [
    'goos: linux',
    'goarch: amd64',
    'pkg: atlas.example/api/internal/tiles',
    ...many(
      14,
      (zoom) =>
        `BenchmarkTile/zoom-${zoom}-8      \t${random.whole(900, 60_000)}\t${random.whole(20_000, 900_000)} ns/op\t${random.whole(800, 9000)} B/op\t${random.whole(4, 90)} allocs/op`,
    ),
    'PASS',
  ],
  'docker-build': ({ random, ok, name }) => [
    '#1 [internal] load build definition from Dockerfile',
    '#1 transferring dockerfile: 312B done',
    '#2 [internal] load metadata for docker.io/library/debian:14-slim',
    '#2 DONE 0.8s',
    ...many(random.whole(6, 9), (index) => [
      `#${index + 3} [stage-0 ${index + 1}/9] RUN apt-get install --yes ${name.replace(/\W+/g, ' ').trim().split(' ').pop() ?? 'curl'}`,
      ...many(
        random.whole(3, 12),
        (line) =>
          `${GRAY}#${index + 3} ${(line * 0.7 + 0.2).toFixed(3)} Unpacking ${random.pick(['libc6', 'libssl3', 'ca-certificates', 'zlib1g', 'libicu76', 'git', 'curl'])}:amd64 (${random.whole(1, 9)}.${random.whole(0, 40)}-${random.whole(1, 6)}) ...${END}`,
      ),
      `${CYAN}#${index + 3} DONE ${seconds(random)}s${END}`,
    ]).flat(),
    ...(ok
      ? [
          '#14 exporting to image',
          '#14 pushing layers 6.1s done',
          `#14 pushing manifest for registry.example/atlas@sha256:${many(8, () => random.whole(0x1000_0000, 0xffff_ffff).toString(16)).join('')}`,
          `${GREEN}#14 DONE 9.3s${END}`,
        ]
      : [
          `${RED}#9 ERROR: process "/bin/sh -c apt-get update" did not complete successfully: exit code: 100${END}`,
          '------',
          ' > [stage-0 3/9] RUN apt-get update:',
          'E: Failed to fetch http://deb.debian.org/debian/dists/trixie/InRelease  Connection timed out',
        ]),
  ],
  kubectl: ({ random, ok }) => [
    `deployment.apps/atlas image updated`,
    ...many(
      6,
      (index) =>
        `Waiting for deployment "atlas" rollout to finish: ${index} of 6 updated replicas are available...`,
    ),
    ...(ok
      ? [
          `${GREEN}deployment "atlas" successfully rolled out${END}`,
          `GET /healthz 200 in ${random.whole(12, 80)} ms`,
        ]
      : [
          `${RED}error: deployment "atlas" exceeded its progress deadline${END}`,
          'Warning  BackOff  kubelet  Back-off restarting failed container atlas',
        ]),
  ],
  'npm-ci': ({ random }) => [
    ...many(
      random.whole(2, 5),
      () =>
        `${YELLOW}npm warn deprecated${END} ${random.pick(['glob@7.2.3', 'inflight@1.0.6', 'rimraf@3.0.2', 'abab@2.0.6'])}: no longer supported`,
    ),
    '',
    `added ${random.whole(640, 660)} packages, and audited 661 packages in ${random.whole(12, 30)}s`,
    '',
    '148 packages are looking for funding',
    '  run `npm fund` for details',
  ],
  tsc: ({ random, ok }) =>
    ok
      ? [`${GRAY}Found 0 errors in ${random.whole(180, 220)} files.${END}`]
      : [
          `${CYAN}src/map/camera.ts${END}:${YELLOW}${random.whole(3, 60)}${END}:${YELLOW}12${END} - ${RED}error${END} ${GRAY}TS2322:${END} Type 'number | undefined' is not assignable to type 'number'.`,
          '',
          'Found 1 error in src/map/camera.ts',
        ],
  eslint: ({ random, ok }) => [
    '',
    ...many(
      random.whole(1, 4),
      () =>
        `src/${random.pick(WEB_FILES)}.tsx  ${YELLOW}warning${END}  React Hook useEffect has a missing dependency`,
    ),
    ...(ok ? [] : [`src/map/labels.tsx  ${RED}error${END}  'label' is never used`]),
  ],
  'npm-audit': ({ ok }) =>
    ok
      ? [`found ${GREEN}0${END} vulnerabilities`]
      : [
          '# npm audit report',
          '',
          `${BOLD}cookie${END}  <0.7.0`,
          `Severity: ${YELLOW}moderate${END}`,
          'cookie accepts cookie name, path, and domain with out of bounds characters',
          '',
          '2 moderate severity vulnerabilities',
        ],
  vitest: ({ random, ok }) => [
    `${BOLD}${CYAN} RUN ${END} v4.1.12 /builds/atlas/web`,
    '',
    ...WEB_FILES.flatMap((file) =>
      many(
        3,
        (part) =>
          ` ${GREEN}✓${END} src/${file}${part === 0 ? '' : `-${['keys', 'state'][part - 1] ?? ''}`}.test.tsx ${GRAY}(${random.whole(2, 30)} tests)${END} ${random.whole(8, 900)}ms`,
      ),
    ),
    ...(ok
      ? ['', ' Test Files  24 passed (24)', `      Tests  ${GREEN}${random.whole(310, 330)} passed${END}`]
      : [
          ` ${RED}❯ src/map/camera.test.tsx (14 tests | 1 failed)${END}`,
          `   ${RED}× keeps the zoom when the window is resized${END}`,
          `     → expected 4.25 to be 4 // Object.is equality`,
          '',
          ` Test Files  ${RED}1 failed${END} | 23 passed (24)`,
        ]),
    `   Duration  ${seconds(random, 20, 50)}s`,
    '',
    ` % Coverage report from v8`,
    'File              | % Stmts | % Branch | % Funcs | % Lines |',
    `All files         |   ${random.between(88, 91).toFixed(2)} |    84.10 |   86.00 |   89.31 |`,
  ],
  playwright: ({ random, ok, name }) => {
    const count = random.whole(28, 40)
    return [
      `Running ${count} tests using 2 workers, shard ${/\d+\/\d+/.exec(name)?.[0].replace('/', ' of ') ?? '1 of 1'}`,
      '',
      ...many(
        count,
        (index) =>
          `  ${GREEN}✓${END}  ${GRAY}${index + 1}${END} [${random.pick(['chromium', 'firefox', 'webkit'])}] › tests/${random.pick(['search', 'camera', 'print', 'route', 'labels'])}.spec.ts:${random.whole(5, 80)}:3 › ${random.pick(['zooms with the wheel', 'finds a city', 'opens the first result', 'draws the route', 'prints one page', 'moves with the arrow keys'])} ${GRAY}(${seconds(random, 0.4, 6)}s)${END}`,
      ),
      ...(ok
        ? ['', `  ${GREEN}${count} passed${END} (${seconds(random, 1, 3)}m)`]
        : [
            '',
            `  ${RED}1) [webkit] › tests/camera.spec.ts:41:3 › keeps its place while tiles load${END}`,
            '',
            `    ${RED}Error: Timed out 5000ms waiting for expect(locator).toHaveText(expected)${END}`,
            '',
            '    Expected string: "59.91, 10.75"',
            '    Received string: "59.90, 10.75"',
            '',
            `  ${RED}1 failed${END}`,
            `  ${GREEN}${count - 1} passed${END}`,
          ]),
    ]
  },
  vite: ({ random, ok }) => [
    `${CYAN}vite v8.3.8 ${GREEN}building for production...${END}`,
    `transforming... ${GREEN}✓${END} ${random.whole(810, 830)} modules transformed.`,
    ...(ok
      ? [
          ...WEB_FILES.map(
            (file) =>
              `${GRAY}dist/${END}${CYAN}assets/${file.split('/')[1] ?? file}-${random.whole(0x100000, 0xffffff).toString(36)}.js${END}  ${random.between(4, 240).toFixed(2)} kB ${GRAY}│ gzip: ${random.between(2, 70).toFixed(2)} kB${END}`,
          ),
          `${GREEN}✓ built in ${seconds(random, 4, 9)}s${END}`,
        ]
      : [`${RED}error during build:`, `Could not resolve "./${random.pick(WEB_FILES)}"${END}`]),
  ],
  s3: ({ random }) => [
    ...many(
      random.whole(10, 20),
      () => `upload: dist/assets/${random.whole(0x100000, 0xffffff).toString(36)}.js to s3://atlas/assets/`,
    ),
    `${GREEN}Published.${END}`,
  ],
  gradle: ({ random, ok }) => [
    'Downloading https://services.gradle.org/distributions/gradle-9.3-bin.zip',
    ...many(
      random.whole(30, 50),
      () =>
        `${GRAY}> Task :app:${random.pick(['compileReleaseKotlin', 'mergeReleaseResources', 'processReleaseManifest', 'dexBuilderRelease', 'lintVitalRelease', 'packageRelease'])}${END} ${random.pick(['', 'UP-TO-DATE', 'FROM-CACHE'])}`,
    ),
    ...(ok
      ? [
          '',
          `${GREEN}BUILD SUCCESSFUL${END} in ${random.whole(3, 6)}m ${random.whole(1, 59)}s`,
          '148 actionable tasks: 96 executed, 52 from cache',
        ]
      : [
          `${RED}FAILURE: Build failed with an exception.${END}`,
          '* What went wrong:',
          "Execution failed for task ':app:connectedDebugAndroidTest'.",
          '> There were failing tests.',
          `${RED}BUILD FAILED${END}`,
        ]),
  ],
  xcodebuild: ({ random, ok }) => [
    'Command line invocation: xcodebuild -scheme Atlas',
    ...many(
      random.whole(30, 60),
      () =>
        `▸ ${BOLD}${random.pick(['Compiling', 'Linking', 'Copying', 'Touching'])}${END} ${random.pick(['MapView.swift', 'Camera.swift', 'Offline.swift', 'Search.swift', 'Widgets.swift'])}`,
    ),
    ...(ok
      ? [`${GREEN}▸ Archive Succeeded${END}`]
      : [
          `${RED}✖ testCompassIsInSafeArea, XCTAssertEqual failed: ("59.0") is not equal to ("62.0")${END}`,
          '** TEST FAILED **',
        ]),
  ],
  fastlane: ({ random }) => [
    '[✔] 🚀 ',
    ...many(
      6,
      (index) =>
        `[${10 + index}:04:1${index}]: ${GREEN}--- Step: ${random.pick(['match', 'gym', 'pilot', 'deliver', 'sigh'])} ---${END}`,
    ),
    `fastlane.tools finished successfully 🎉`,
  ],
  terraform: ({ random, ok }) => [
    'Initializing the backend...',
    'Initializing provider plugins...',
    `- Installing hashicorp/aws v6.${random.whole(20, 40)}.0...`,
    '',
    ...RESOURCES.map(
      (resource) =>
        `${BOLD}${resource}: Refreshing state...${END} [id=${random.whole(0x1000_0000, 0xffff_ffff).toString(16)}]`,
    ),
    '',
    ...(ok
      ? [
          `  ${YELLOW}~${END} resource "aws_eks_node_group" "tiles" {`,
          `      ${YELLOW}~${END} desired_size = ${random.whole(3, 5)} -> ${random.whole(6, 9)}`,
          '    }',
          '',
          `${BOLD}Plan:${END} 0 to add, 1 to change, 0 to destroy.`,
        ]
      : [
          `${RED}│ ${BOLD}Error: ${END}creating EKS Node Group: ResourceLimitExceeded`,
          `${RED}│${END}   with aws_eks_node_group.tiles,`,
          `${RED}│${END}   on modules/cluster/main.tf line 12`,
        ]),
  ],
  trivy: ({ random, ok, name }) => [
    `${name.replace(/.*\[(.*)\]/, 'registry.example/$1')} (debian 14.2)`,
    '='.repeat(40),
    `Total: ${ok ? 0 : random.whole(1, 6)} (HIGH: ${ok ? 0 : 1}, CRITICAL: 0)`,
    ...(ok ? [] : [`${RED}libssl3  CVE-2026-${random.whole(1000, 9999)}  HIGH  fixed in 3.5.4-1${END}`]),
  ],
  python: ({ random }) => [
    ...many(
      30,
      (day) =>
        `INFO forecast.${random.pick(PYTHON_MODULES)}: day ${day + 1} of 30: ${random.whole(12_000, 90_000)} observations`,
    ),
    `${GREEN}done${END}`,
  ],
  pytest: ({ random, ok }) => [
    '============================= test session starts ==============================',
    `collected ${random.whole(140, 150)} items`,
    '',
    ...PYTHON_MODULES.map(
      (module, index) =>
        `tests/test_${module}.py ${GREEN}${'.'.repeat(random.whole(12, 30))}${END}${' '.repeat(6)}[${String(Math.round(((index + 1) * 100) / PYTHON_MODULES.length)).padStart(3)}%]`,
    ),
    ...(ok
      ? [
          `${GREEN}============================= ${random.whole(140, 150)} passed in ${seconds(random, 20, 50)}s =============================${END}`,
        ]
      : [
          `${RED}FAILED tests/test_radar.py::test_gap_is_filled - assert nan == 0.4${END}`,
          `${RED}=================== 1 failed, 143 passed in ${seconds(random, 20, 50)}s ===================${END}`,
        ]),
  ],
  train: ({ random, ok }) => [
    'Using device: cuda (NVIDIA H200)',
    ...many(
      40,
      (epoch) =>
        `epoch ${String(epoch + 1).padStart(2)}/40  loss ${(2.4 / (epoch + 2) + random.between(0.2, 0.24)).toFixed(4)}  validation ${(2.6 / (epoch + 2) + random.between(0.24, 0.3)).toFixed(4)}  ${GRAY}${random.whole(28, 34)} s${END}`,
    ),
    ...(ok
      ? [`${GREEN}saved models/best.pt${END}`]
      : [`${RED}torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.${END}`]),
  ],
}
