const CI = `stages: [check, build, test, package, deploy, verify]

workflow:
  rules:
    - if: $CI_COMMIT_BRANCH
    - if: $CI_COMMIT_TAG

default:
  image: golang:1.25
  tags: [docker]
  interruptible: true

lint:
  stage: check
  script:
    - golangci-lint run --timeout 5m
  artifacts: { reports: { codequality: quality.json } }

modules:
  stage: check
  script:
    - go mod verify
    - govulncheck ./...
  allow_failure: true

build:
  stage: build
  needs: []
  parallel:
    matrix:
      - ARCH: [amd64, arm64]
        OS: [linux, darwin]
  script:
    - GOOS=$OS GOARCH=$ARCH go build -o bin/atlas-$OS-$ARCH ./cmd/atlas
  artifacts: { paths: [bin/], expire_in: 30 days }

unit:
  stage: test
  needs: [lint]
  parallel: 4
  script:
    - go test -race -coverprofile=coverage.out ./...
  coverage: '/total:\\s+\\(statements\\)\\s+([\\d.]+)%/'
  artifacts:
    when: always
    reports:
      junit: report.xml
      coverage_report: { coverage_format: cobertura, path: coverage.xml }

integration:
  stage: test
  needs: ["build: [amd64, linux]"]
  tags: [large]
  services: [postgis/postgis:18-3.6, redis:8]
  retry: { max: 1, when: runner_system_failure }
  script:
    - make integration
  artifacts:
    when: always
    paths: [logs/]
    reports: { junit: report.xml }

benchmark:
  stage: test
  needs: ["build: [amd64, linux]"]
  tags: [bench]
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
  script:
    - go test -bench . -benchmem ./internal/tiles
  artifacts: { reports: { metrics: metrics.txt } }

fuzz:
  stage: test
  tags: [large]
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule" && $TASK == "fuzz"
  timeout: 6h
  script:
    - go test -fuzz=FuzzTile -fuzztime=2h -v ./internal/tiles

container:
  stage: package
  needs: [integration, unit]
  script:
    - docker buildx build --push --tag $CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA .
  artifacts: { reports: { dotenv: image.env } }

review:
  stage: deploy
  needs: [container]
  rules:
    - if: $CI_COMMIT_BRANCH && $CI_COMMIT_BRANCH != "main"
  script:
    - ./deploy.sh review-$CI_COMMIT_REF_SLUG
  environment:
    name: review/$CI_COMMIT_REF_SLUG
    url: https://$CI_COMMIT_REF_SLUG.review.atlas.example
    on_stop: stop review
    auto_stop_in: 5 days

stop review:
  stage: deploy
  needs: []
  rules:
    - if: $CI_COMMIT_BRANCH && $CI_COMMIT_BRANCH != "main"
      when: manual
      allow_failure: true
  variables: { GIT_STRATEGY: none }
  script:
    - ./deploy.sh --delete review-$CI_COMMIT_REF_SLUG
  environment:
    name: review/$CI_COMMIT_REF_SLUG
    action: stop

staging:
  stage: deploy
  needs: [container]
  tags: [deploy]
  resource_group: staging
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
  script:
    - ./deploy.sh staging
  environment: { name: staging, url: https://staging.atlas.example, deployment_tier: staging }

web smoke test:
  stage: verify
  needs: [staging]
  rules:
    - if: $CI_COMMIT_BRANCH == "main" && $CI_PIPELINE_SOURCE == "push"
  variables: { UPSTREAM: $CI_COMMIT_SHORT_SHA }
  trigger: { project: atlas/web, branch: main }

production:
  stage: deploy
  needs: [container]
  tags: [deploy]
  resource_group: production
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
  manual_confirmation: 'Deploy this commit to production?'
  interruptible: false
  script:
    - ./deploy.sh production
  environment: { name: production, url: https://atlas.example, deployment_tier: production }
`

const README = `# Atlas API

Serves map tiles, search and routes.

| endpoint | responses |
| --- | --- |
| \`GET /tiles/:z/:x/:y\` | a vector tile |
| \`GET /search?q=\` | places by name |
| \`GET /route\` | the fastest way between two places |

## Run it

\`\`\`sh
make database
go run ./cmd/atlas --listen :8080
\`\`\`

The tests need a database with PostGIS: \`make integration\`.
`

/** @type {import('../plan.mjs').ProjectPlan} */
export const atlasApi = {
  path: 'atlas/api',
  name: 'Atlas API',
  description: 'Tiles, search and routes over HTTP',
  topics: ['go', 'maps', 'postgis'],
  owner: 'jonas',
  authors: ['jonas', 'tomasz', 'chloe', 'dimitri'],
  pools: ['docker', 'large', 'deploy', 'bench'],
  share: 0.27,
  files: {
    '.gitlab-ci.yml': CI,
    'README.md': README,
    '.gitlab/issue_templates/Bug.md':
      '## What happens\n\n\n## What should happen\n\n\n## How to see it\n\n1. \n\n/label ~bug\n',
    '.gitlab/issue_templates/Proposal.md':
      '## For whom\n\n\n## What changes\n\n- [ ] Agreed with the people of design\n\n/label ~feature\n',
    'go.mod':
      'module atlas.example/api\n\ngo 1.25\n\nrequire (\n\tgithub.com/jackc/pgx/v5 v5.8.0\n\tgithub.com/redis/go-redis/v9 v9.14.0\n)\n',
    'cmd/atlas/main.go':
      'package main\n\nimport (\n\t"flag"\n\t"log"\n\t"net/http"\n\n\t"atlas.example/api/internal/tiles"\n)\n\nfunc main() {\n\tlisten := flag.String("listen", ":8080", "address to listen on")\n\tflag.Parse()\n\tlog.Fatal(http.ListenAndServe(*listen, tiles.Handler()))\n}\n',
    'internal/tiles/handler.go':
      'package tiles\n\nimport "net/http"\n\n// Handler serves requests for tiles.\nfunc Handler() http.Handler {\n\tmux := http.NewServeMux()\n\tmux.HandleFunc("GET /tiles/{z}/{x}/{y}", serveTile)\n\treturn mux\n}\n\nfunc serveTile(w http.ResponseWriter, r *http.Request) {\n\ttile, err := parseTile(r)\n\tif err != nil {\n\t\thttp.Error(w, err.Error(), http.StatusBadRequest)\n\t\treturn\n\t}\n\tw.Header().Set("Content-Type", "application/vnd.mapbox-vector-tile")\n\ttile.WriteTo(w)\n}\n',
    'internal/tiles/cache.go':
      'package tiles\n\n// cacheSize is the number of tiles that are kept in memory.\nconst cacheSize = 4096\n\ntype cache struct {\n\tentries map[string][]byte\n}\n',
    'deploy.sh':
      '#!/bin/sh\nset -eu\nkubectl --context "$1" set image deployment/atlas atlas="$IMAGE"\nkubectl --context "$1" rollout status deployment/atlas\n',
    Dockerfile: 'FROM gcr.io/distroless/static\nCOPY bin/atlas-linux-amd64 /atlas\nENTRYPOINT ["/atlas"]\n',
    Makefile: 'integration:\n\tgo test -tags integration ./...\n',
    LICENSE: 'MIT License\n\nCopyright (c) 2026 Atlas\n',
    '.gitignore': 'bin/\ncoverage.out\n',
  },
  changed: ['internal/tiles/handler.go', 'internal/tiles/cache.go', 'cmd/atlas/main.go', 'deploy.sh'],
  messages: [
    'tiles: keep empty tiles out of the cache',
    'search: rank cities above villages',
    'route: avoid ferries in winter',
    'tiles: return 304 for unchanged tiles',
    'Update pgx to 5.8',
    'search: fold accents',
    'tiles: limit the zoom to 22',
    'route: return turn restrictions',
    'Log slow queries',
    'tiles: simplify coastlines below zoom 6',
    'deploy: wait for the rollout',
    'search: accept coordinates',
    'tiles: fix the seam at 180 degrees',
    'Report the version at /healthz',
    'route: cache the graph between requests',
  ],
  branches: ['tiles/vector-labels', 'search-typos', 'route-elevation', 'redis-8', 'fix/antimeridian'],
  jobs: {
    lint: { seconds: [35, 60], log: 'golangci', reports: ['codequality'] },
    modules: { seconds: [20, 40], log: 'govulncheck', failure: 0.12 },
    build: { seconds: [50, 95], log: 'go-build', files: 'binaries' },
    unit: {
      seconds: [70, 150],
      log: 'go-test',
      failure: 0.005,
      tests: 'go',
      reports: ['go-cobertura'],
    },
    integration: {
      seconds: [160, 320],
      log: 'go-test',
      failure: 0.02,
      tests: 'go-integration',
      files: 'logs',
    },
    benchmark: { seconds: [120, 150], log: 'go-bench', reports: ['metrics'] },
    fuzz: { seconds: [6800, 7200], log: 'go-test' },
    container: { seconds: [60, 110], log: 'docker-build', reports: ['dotenv'] },
    review: { seconds: [25, 50], log: 'kubectl' },
    'stop review': { seconds: [8, 15], log: 'kubectl' },
    staging: { seconds: [40, 70], log: 'kubectl', failure: 0.03 },
    production: { seconds: [60, 90], log: 'kubectl', failure: 0.02 },
  },
}
