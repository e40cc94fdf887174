/** Built on this machine. The number is increased when its content changes. */
export const SAMPLE_IMAGE = 'switchyard/sample:1'

const CI_FILE = `# Three stages: what "build" makes is tested by two jobs side by side and then put in place.
image: ${SAMPLE_IMAGE}

stages:
  - build
  - test
  - deploy

variables:
  NAME: World

build:
  stage: build
  script:
    - mkdir -p public
    - sh greet.sh "$NAME" > public/greeting.txt
    - echo "$CI_COMMIT_SHORT_SHA" > public/version.txt
    - ls -l public
  artifacts:
    paths:
      - public/
    expire_in: 1 week

check the greeting:
  stage: test
  script:
    - cat public/greeting.txt
    - grep -qx "Hello, $NAME!" public/greeting.txt

check the version:
  stage: test
  script:
    - test "$(cat public/version.txt)" = "$CI_COMMIT_SHORT_SHA"
    - echo "Built from $CI_COMMIT_SHORT_SHA on $CI_COMMIT_BRANCH"

deploy:
  stage: deploy
  needs:
    - build
    - check the greeting
    - check the version
  script:
    - mkdir -p site
    - cp public/greeting.txt site/index.txt
    - echo "$(wc -c < site/index.txt) bytes are in place"
  artifacts:
    paths:
      - site/
`

const SCRIPT = `# Greets whoever is named.
echo "Hello, $1!"
`

const README = `# Sample

A push to this project runs the pipeline that \`.gitlab-ci.yml\` describes. Change a file, commit and push:
the two tests tell whether the greeting still is what it should be.
`

/** The files of the sample project. */
export const sampleFiles: Record<string, string> = {
  '.gitlab-ci.yml': CI_FILE,
  'greet.sh': SCRIPT,
  'README.md': README,
}
