const CI = `stages: [build, test, deploy, announce]

default:
  image: node:24
  tags: [docker]

build:
  stage: build
  script:
    - npm ci
    - npx vite build
  artifacts: { paths: [dist/] }

types:
  stage: test
  needs: []
  script: npx tsc --noEmit

unit:
  stage: test
  script: npx vitest run

soak:
  stage: test
  rules:
    - if: $SOAK
  resource_group: load generator
  timeout: 6h
  script: ./soak.sh "$SOAK"

preview:
  stage: deploy
  rules:
    - if: $CI_COMMIT_BRANCH && $CI_COMMIT_BRANCH != $CI_DEFAULT_BRANCH
      when: manual
      allow_failure: true
  script: ./deploy.sh "$CI_COMMIT_REF_SLUG"
  environment: { name: preview/$CI_COMMIT_REF_SLUG }

production:
  stage: deploy
  rules:
    - if: $CI_COMMIT_TAG =~ /\\.0$/
      when: manual
    - if: $CI_COMMIT_TAG
  manual_confirmation: 'Show the new pages to everybody?'
  script: ./deploy.sh production
  environment: { name: production, url: https://status.atlas.example }

newsletter:
  stage: announce
  rules:
    - if: $CI_COMMIT_TAG
      when: delayed
      start_in: 6 hours
  script: ./announce.sh "$CI_COMMIT_TAG"
`

/** @type {import('../plan.mjs').ProjectPlan} */
export const statusPage = {
  path: 'platform/status-page',
  name: 'Status page',
  description: 'Shows whether the map works, and what is being done',
  topics: ['typescript'],
  owner: 'mira',
  authors: ['mira', 'samuel'],
  pools: ['docker'],
  share: 0.02,
  isQuiet: true,
  files: {
    '.gitlab-ci.yml': CI,
    'README.md':
      '# Status page\n\nShows incidents of the map. `soak` loads it for hours: run a pipeline with `SOAK` set to a duration.\n',
    'package.json': '{\n  "name": "status-page",\n  "private": true,\n  "type": "module"\n}\n',
    'src/incidents.ts':
      'export interface Incident {\n  title: string\n  startedAt: Date\n  endedAt?: Date\n}\n\nexport const isOpen = ({ endedAt }: Incident) => endedAt === undefined\n',
    'src/history.ts':
      "import { type Incident, isOpen } from './incidents.js'\n\nexport const past = (incidents: Incident[]) => incidents.filter((incident) => !isOpen(incident))\n",
    'deploy.sh': '#!/bin/sh\nset -eu\nrsync --delete -a dist/ "status.internal:/srv/$1/"\n',
    'announce.sh': '#!/bin/sh\nset -eu\ncurl --fail --data "version=$1" https://news.atlas.example/send\n',
    'soak.sh': '#!/bin/sh\nset -eu\nk6 run --duration "$1" soak.js\n',
  },
  changed: ['src/incidents.ts', 'src/history.ts'],
  messages: ['Show times in the zone of the reader', 'Group incidents by month', 'Link to the postmortems'],
  branches: ['dark-theme'],
  jobs: {
    build: { seconds: [40, 60], log: 'vite', files: 'site' },
    types: { seconds: [20, 30], log: 'tsc' },
    unit: { seconds: [30, 50], log: 'vitest' },
    soak: { seconds: [10_000, 10_800], log: 'go-bench' },
    preview: { seconds: [15, 25], log: 'kubectl' },
    production: { seconds: [25, 40], log: 'kubectl' },
    newsletter: { seconds: [5, 10], log: 'kubectl' },
  },
}
