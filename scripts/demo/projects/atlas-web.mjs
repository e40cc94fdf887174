const CI = `stages: [install, check, test, bundle, deploy]

default:
  image: node:24
  tags: [docker]
  cache: { key: { files: [package-lock.json] }, paths: [.npm/] }

install:
  stage: install
  script:
    - npm ci --cache .npm --prefer-offline
  artifacts: { paths: [node_modules/.package-lock.json], expire_in: 1 day }

types:
  stage: check
  needs: [install]
  script: npx tsc --noEmit

eslint:
  stage: check
  needs: [install]
  script: npx eslint src --format gitlab
  artifacts: { reports: { codequality: eslint.json } }

audit:
  stage: check
  needs: []
  script: npm audit --omit dev
  allow_failure: true

unit:
  stage: test
  needs: [install]
  script: npx vitest run --coverage
  coverage: '/All files[^|]*\\|[^|]*\\s+([\\d.]+)/'
  artifacts:
    when: always
    paths: [coverage/]
    reports:
      junit: junit.xml
      coverage_report: { coverage_format: cobertura, path: coverage/cobertura.xml }

browser:
  stage: test
  needs: [install, types]
  parallel: 3
  tags: [large]
  script: npx playwright test --shard $CI_NODE_INDEX/$CI_NODE_TOTAL
  retry: 1
  artifacts:
    when: always
    paths: [playwright-report/]
    reports: { junit: junit.xml }

bundle:
  stage: bundle
  needs: [unit, eslint]
  script: npx vite build
  artifacts: { paths: [dist/], expose_as: 'Preview' }

storybook:
  stage: bundle
  needs: [install]
  script: npx storybook build
  allow_failure: true
  artifacts: { paths: [storybook/], expire_in: 1 week }

preview:
  stage: deploy
  needs: [bundle]
  rules:
    - if: $CI_COMMIT_BRANCH != "main"
  script: ./publish.sh preview/$CI_COMMIT_REF_SLUG
  environment: { name: review/$CI_COMMIT_REF_SLUG, url: https://$CI_COMMIT_REF_SLUG.preview.atlas.example, auto_stop_in: 1 week }

staging:
  stage: deploy
  needs: [bundle, browser]
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
  tags: [deploy]
  script: ./publish.sh staging
  environment: { name: staging, url: https://staging.atlas.example }

production:
  stage: deploy
  needs: [bundle, browser]
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
      allow_failure: true
  tags: [deploy]
  script: ./publish.sh production
  environment: { name: production, url: https://atlas.example }
`

/** @type {import('../plan.mjs').ProjectPlan} */
export const atlasWeb = {
  path: 'atlas/web',
  name: 'Atlas Web',
  description: 'The map in the browser',
  topics: ['typescript', 'webgl'],
  owner: 'aiko',
  authors: ['aiko', 'lena', 'chloe', 'noah'],
  // The schedule of noah may not run any more.
  reporters: ['noah'],
  pools: ['docker', 'large', 'deploy'],
  share: 0.25,
  files: {
    '.gitlab-ci.yml': CI,
    'README.md':
      '# Atlas Web\n\nThe map, drawn with WebGL.\n\n- `npm run dev` serves it on port 5173\n- `npm test` runs the unit tests\n- `npx playwright test` runs the browser tests\n\n> Ask in **#atlas-web** before you change the camera.\n',
    'package.json':
      '{\n  "name": "atlas-web",\n  "private": true,\n  "type": "module",\n  "scripts": { "dev": "vite", "test": "vitest run" },\n  "dependencies": { "maplibre-gl": "^6.1.0", "preact": "^11.2.0" }\n}\n',
    'package-lock.json': '{ "name": "atlas-web", "lockfileVersion": 3 }\n',
    'src/main.tsx':
      "import { render } from 'preact'\n\nimport { MapView } from './map/map-view'\n\nrender(<MapView zoom={4} />, document.body)\n",
    'src/map/map-view.tsx':
      "import { useEffect, useRef } from 'preact/hooks'\n\nexport function MapView({ zoom }: { zoom: number }) {\n  const canvas = useRef<HTMLCanvasElement>(null)\n  useEffect(() => {\n    if (!canvas.current) return\n    return draw(canvas.current, zoom)\n  }, [zoom])\n  return <canvas ref={canvas} />\n}\n",
    'src/map/camera.ts':
      'export interface Camera {\n  longitude: number\n  latitude: number\n  zoom: number\n}\n',
    'src/search/search-box.tsx':
      'export function SearchBox() {\n  return <input type="search" placeholder="Search places" />\n}\n',
    'publish.sh': '#!/bin/sh\nset -eu\naws s3 sync dist "s3://atlas/$1"\n',
    'vite.config.ts':
      "import { defineConfig } from 'vite'\n\nexport default defineConfig({ build: { sourcemap: true } })\n",
  },
  changed: ['src/map/map-view.tsx', 'src/map/camera.ts', 'src/search/search-box.tsx'],
  messages: [
    'Keep the zoom when the window is resized',
    'Search: open the first result with Enter',
    'Draw labels above roads',
    'Load fewer tiles while the map moves',
    'Dark theme for the sidebar',
    'Remember the last place',
    'Update maplibre-gl to 6.1',
    'Fix the scale bar at high latitudes',
    'Show the route in the print view',
    'Test the camera with a keyboard',
    'Split the bundle by route',
    'Announce search results to screen readers',
  ],
  branches: ['print-view', 'terrain', 'keyboard-camera', 'renovate/maplibre-gl-6', 'night-mode'],
  jobs: {
    install: { seconds: [25, 50], log: 'npm-ci', files: 'lock' },
    types: { seconds: [20, 40], log: 'tsc', failure: 0.02 },
    eslint: { seconds: [18, 35], log: 'eslint', reports: ['codequality'] },
    audit: { seconds: [6, 12], log: 'npm-audit', failure: 0.2 },
    unit: {
      seconds: [45, 80],
      log: 'vitest',
      failure: 0.02,
      tests: 'vitest',
      files: 'coverage',
      reports: ['cobertura'],
    },
    browser: {
      seconds: [120, 210],
      log: 'playwright',
      failure: 0.03,
      tests: 'playwright',
      files: 'playwright',
    },
    bundle: { seconds: [20, 35], log: 'vite', files: 'site' },
    storybook: { seconds: [50, 80], log: 'vite', failure: 0.08, files: 'site' },
    preview: { seconds: [15, 25], log: 's3' },
    // Of the merge trains: it runs for as long as one looks.
    acceptance: { seconds: [6000, 6600], log: 'playwright' },
    staging: { seconds: [20, 35], log: 's3' },
    production: { seconds: [25, 40], log: 's3' },
  },
}
