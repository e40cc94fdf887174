const CI = `stages: [build, test, sign, publish]

android:
  stage: build
  image: eclipse-temurin:21
  tags: [large]
  script: ./gradlew assembleRelease
  artifacts: { paths: [app/build/outputs/], expire_in: 90 days }

ios:
  stage: build
  tags: [macos]
  script: xcodebuild -scheme Atlas -configuration Release archive
  artifacts: { paths: [Atlas.xcarchive/], expire_in: 90 days }

android tests:
  stage: test
  needs: [android]
  tags: [large]
  script: ./gradlew connectedCheck
  artifacts: { when: always, reports: { junit: app/build/test-results/*.xml } }

ios tests:
  stage: test
  needs: [ios]
  tags: [macos]
  script: xcodebuild test -scheme Atlas
  retry: 2
  artifacts: { when: always, reports: { junit: report.junit } }

device lab:
  stage: test
  needs: [android]
  tags: [android-device]
  rules:
    - if: $CI_COMMIT_BRANCH == "main" && $DEVICES
  script: ./gradlew deviceLab

sign:
  stage: sign
  tags: [macos]
  rules:
    - if: $CI_COMMIT_TAG
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
      allow_failure: true
  script: fastlane sign

beta:
  stage: publish
  tags: [macos]
  needs: [sign]
  rules:
    - if: $CI_COMMIT_TAG
    - if: $CI_COMMIT_BRANCH == "main"
  script: fastlane beta
  environment: { name: beta, deployment_tier: testing }

stores:
  stage: publish
  tags: [macos]
  needs: [android, ios]
  rules:
    - if: $CI_COMMIT_TAG
      when: delayed
      start_in: 6 hours
  script: fastlane release
  environment: { name: production }
`

/** @type {import('../plan.mjs').ProjectPlan} */
export const mobileApp = {
  path: 'atlas/mobile/app',
  name: 'Atlas for phones',
  description: 'The map for Android and iOS',
  topics: ['kotlin', 'swift'],
  owner: 'rafael',
  authors: ['rafael', 'ingrid', 'samuel'],
  pools: ['large', 'macos'],
  share: 0.14,
  files: {
    '.gitlab-ci.yml': CI,
    'README.md':
      '# Atlas for phones\n\n| platform | minimum |\n| --- | --- |\n| Android | 11 |\n| iOS | 17 |\n\nReleases are tags: `v5.2.0`.\n',
    'android/app/build.gradle.kts': 'plugins {\n  id("com.android.application")\n  kotlin("android")\n}\n',
    'android/app/src/main/Map.kt':
      'package example.atlas\n\nclass Map(val zoom: Int) {\n  fun tileUrl(x: Int, y: Int) = "https://api.atlas.example/tiles/$zoom/$x/$y"\n}\n',
    'ios/Atlas/Map.swift':
      'import SwiftUI\n\nstruct MapView: View {\n  @State private var zoom = 4.0\n  var body: some View { MetalMap(zoom: zoom) }\n}\n',
    'fastlane/Fastfile': 'lane :beta do\n  upload_to_testflight\nend\n',
  },
  changed: ['android/app/src/main/Map.kt', 'ios/Atlas/Map.swift', 'fastlane/Fastfile'],
  messages: [
    'Download maps for offline use',
    'Haptics when the map reaches its end',
    'Fix the crash when location is denied',
    'Widgets for saved places',
    'Update Kotlin to 2.4',
    'Speak street names in the local language',
    'Draw the compass in the safe area',
  ],
  branches: ['offline-maps', 'car-display', 'ios-27'],
  jobs: {
    android: { seconds: [240, 400], log: 'gradle', failure: 0.03, files: 'apk' },
    ios: { seconds: [380, 620], log: 'xcodebuild', failure: 0.04, files: 'xcarchive' },
    'android tests': { seconds: [200, 320], log: 'gradle', failure: 0.05, tests: 'android' },
    'ios tests': { seconds: [260, 420], log: 'xcodebuild', failure: 0.12, tests: 'ios' },
    'device lab': { seconds: [300, 500], log: 'gradle' },
    sign: { seconds: [40, 70], log: 'fastlane' },
    beta: { seconds: [80, 150], log: 'fastlane' },
    stores: { seconds: [100, 200], log: 'fastlane' },
  },
}
