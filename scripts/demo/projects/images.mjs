const NAMES = [
  'base',
  'node',
  'golang',
  'python',
  'rust',
  'ruby',
  'java',
  'android',
  'terraform',
  'playwright',
  'cuda',
  'docs',
]

const CI = `stages: [build, scan, push]

default:
  tags: [buildkit]

build:
  stage: build
  parallel:
    matrix:
      - IMAGE: [${NAMES.join(', ')}]
  script: buildctl build --local context=$IMAGE

scan:
  stage: scan
  parallel:
    matrix:
      - IMAGE: [${NAMES.join(', ')}]
  tags: [docker]
  script: trivy image registry.example/$IMAGE
  allow_failure: true
  artifacts: { reports: { container_scanning: scan.json } }

push:
  stage: push
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
  script: ./push.sh
`

/** @type {import('../plan.mjs').ProjectPlan} */
export const images = {
  path: 'platform/images',
  name: 'Images',
  description: 'Base images of all jobs, built every night',
  topics: ['containers'],
  owner: 'dimitri',
  authors: ['dimitri', 'mira'],
  pools: ['docker', 'buildkit'],
  share: 0.06,
  files: {
    '.gitlab-ci.yml': CI,
    'README.md': `# Images\n\n${NAMES.map((name) => `- \`registry.example/${name}\``).join('\n')}\n\nBranch \`rebuild-everything\` builds each package of each image.\n`,
    'push.sh': '#!/bin/sh\nset -eu\nskopeo sync --src docker --dest docker build.example registry.example\n',
    ...Object.fromEntries(
      NAMES.map((name) => [
        `${name}/Dockerfile`,
        `FROM debian:14-slim\nRUN apt-get update && apt-get install --yes ${name}\n`,
      ]),
    ),
  },
  changed: ['node/Dockerfile', 'golang/Dockerfile', 'base/Dockerfile'],
  messages: [
    'node: 24.12',
    'golang: 1.25.6',
    'base: security updates',
    'playwright: Chromium 156',
    'cuda: 13.1',
  ],
  branches: ['debian-14'],
  jobs: {
    build: { seconds: [60, 200], log: 'docker-build', failure: 0.02 },
    scan: { seconds: [15, 40], log: 'trivy', failure: 0.1, reports: ['container_scanning'] },
    push: { seconds: [30, 50], log: 'docker-build' },
    // Of the branch with many jobs.
    prepare: { seconds: [8, 12], log: 's3' },
    compile: { seconds: [20, 90], log: 'docker-build', failure: 0.01 },
    test: { seconds: [10, 60], log: 'pytest', failure: 0.03 },
    pack: { seconds: [5, 20], log: 's3' },
    index: { seconds: [5, 9], log: 's3' },
  },
}
