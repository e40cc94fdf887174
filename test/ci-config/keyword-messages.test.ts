import { describe, expect, test } from 'vitest'

import { errorsOf, planOf } from './support/compile-text.js'

/** Keywords of one job that is right otherwise, and the first thing that is said about them. */
type Table = [string, string][]

const PROVIDERS =
  'vault, azure_key_vault, gcp_secret_manager, aws_secrets_manager, akeyless, gitlab_secrets_manager'

const tables: Record<string, Table> = {
  'values of a wrong type, which come before wrong words (CI language, 1.4)': [
    ...['[always]', 'true', '{a: b}', '1'].flatMap((value): Table => [
      [`when: ${value}`, 'jobs:rspec when should be a string'],
      [`artifacts: {when: ${value}}`, 'jobs:rspec:artifacts when should be a string'],
      [`artifacts: {access: ${value}}`, 'jobs:rspec:artifacts access should be a string'],
      [`cache: {when: ${value}}`, 'jobs:rspec:cache:cache when should be a string'],
      [`cache: {policy: ${value}}`, 'jobs:rspec:cache:cache policy should be a string'],
      [`environment: {name: a, action: ${value}}`, 'jobs:rspec:environment action should be a string'],
      [
        `environment: {name: a, deployment_tier: ${value}}`,
        'jobs:rspec:environment deployment tier should be a string',
      ],
      [`pages: true, publish: ${value}`, 'jobs:rspec:publish config should be a string'],
    ]),
  ],
  'allow_failure (CI language, 3.3)': [
    ['allow_failure: 1', 'jobs:rspec allow failure should be a hash or a boolean value'],
    [
      'allow_failure: {exit_codes: x}',
      'jobs:rspec:allow_failure exit codes should be an array of integers or an integer',
    ],
    [
      'allow_failure: {exit_codes: [1, 1.5]}',
      'jobs:rspec:allow_failure exit codes should be an array of integers or an integer',
    ],
  ],
  'artifacts (CI language, 3.4)': [
    [
      'artifacts: {paths: [a], expose_as: a/b}',
      "jobs:rspec:artifacts expose as can contain only letters, digits, '-', '_' and spaces",
    ],
    [
      'artifacts: {paths: [a], expose_as: "-a"}',
      "jobs:rspec:artifacts expose as can contain only letters, digits, '-', '_' and spaces",
    ],
    [
      `artifacts: {paths: [a], expose_as: ${'a'.repeat(101)}}`,
      'jobs:rspec:artifacts expose as is too long (maximum is 100 characters)',
    ],
    ['artifacts: {paths: [a], expose_as: 1}', 'jobs:rspec:artifacts expose as should be a string'],
    [
      'artifacts: {paths: [a, "b*"], expose_as: a}',
      "jobs:rspec:artifacts paths can't contain '*' when used with 'expose_as'",
    ],
    ['artifacts: {expose_as: a}', "jobs:rspec:artifacts paths can't be blank"],
    ['artifacts: {paths: [], expose_as: a}', "jobs:rspec:artifacts paths can't be blank"],
    [
      'artifacts: {public: true, access: all}',
      'jobs:rspec:artifacts config these keys cannot be used together: public, access',
    ],
    ['artifacts: {public: 1}', 'jobs:rspec:artifacts public should be a boolean value'],
    [
      'artifacts: {access: some}',
      'jobs:rspec:artifacts access should be one of: none, developer, maintainer, all',
    ],
    [
      'artifacts: {access: all, public: true}',
      'jobs:rspec:artifacts config these keys cannot be used together: access, public',
    ],
    [
      'artifacts: {reports: {cobertura: a}}',
      'jobs:rspec:artifacts:reports config contains unknown keys: cobertura',
    ],
    [
      'artifacts: {reports: {dotenv: {a: b}}}',
      'jobs:rspec:artifacts:reports dotenv should be an array of strings or a string',
    ],
  ],
  'environment (CI language, 3.6)': [
    ['environment: 1', 'jobs:rspec:environment config should be a hash or a string'],
    ['environment: ""', "jobs:rspec:environment name can't be blank"],
    ['environment: {url: x}', "jobs:rspec:environment name can't be blank"],
    [
      'environment: {name: 1}',
      "jobs:rspec:environment name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
    ],
    ['environment: {name: a, foo: b}', 'jobs:rspec:environment config contains unknown keys: foo'],
    ...['a:b', '/a', 'a/', 'a~'].map((name): [string, string] => [
      `environment: "${name}"`,
      "jobs:rspec:environment name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, " +
        "but it cannot start or end with '/'",
    ]),
    [
      `environment: ${'e'.repeat(256)}`,
      'jobs:rspec:environment name is too long (maximum is 255 characters)',
    ],
    [
      `environment: {name: a, url: ${'u'.repeat(256)}}`,
      'jobs:rspec:environment url is too long (maximum is 255 characters)',
    ],
    ['environment: {name: a, url: 1}', 'jobs:rspec:environment url should be a string'],
    [
      'environment: {name: a, action: go}',
      'jobs:rspec:environment action should be start, stop, prepare, verify, or access',
    ],
    ['environment: {name: a, on_stop: [b]}', 'jobs:rspec:environment on stop should be a string'],
    [
      'environment: {name: a, auto_stop_in: soon}',
      'jobs:rspec:environment auto stop in should be a duration',
    ],
    [
      'environment: {name: a, deployment_tier: big}',
      'jobs:rspec:environment deployment tier must be one of production, staging, testing, development, other',
    ],
    ['environment: {name: a, kubernetes: b}', 'jobs:rspec:environment kubernetes should be a hash'],
    [
      'environment: {name: a, kubernetes: {foo: b}}',
      'jobs:rspec:environment:kubernetes config contains unknown keys: foo',
    ],
    [
      'environment: {name: a, kubernetes: {managed_resources: {enabled: b}}}',
      'jobs:rspec:environment:kubernetes:managed_resources enabled should be a boolean value',
    ],
  ],
  'release (CI language, 3.14)': [
    ['release: x', 'jobs:rspec:release config should be a hash'],
    ['release: {description: d}', "jobs:rspec:release tag name can't be blank"],
    ['release: {tag_name: t}', "jobs:rspec:release description can't be blank"],
    ['release: {tag_name: "", description: d}', "jobs:rspec:release tag name can't be blank"],
    [
      'release: {tag_name: t, description: d, foo: 1}',
      'jobs:rspec:release config contains unknown keys: foo',
    ],
    ...['a b', 'a..b', '-a', 'a.lock', '/a', '"a@{b"', '"@"', 'a~1'].map((ref): [string, string] => [
      `release: {tag_name: t, description: d, ref: ${ref}}`,
      'jobs:rspec:release ref must be a valid ref',
    ]),
    ...['soon', '2024-02-30', '2024-13-01', '2024-01-01T25:00:00Z'].map((date): [string, string] => [
      `release: {tag_name: t, description: d, released_at: "${date}"}`,
      'jobs:rspec:release released at must be a valid datetime',
    ]),
    [
      'release: {tag_name: t, description: d, milestones: 1}',
      'jobs:rspec:release milestones should be an array of strings or a string',
    ],
    ['release: {tag_name: t, description: d, assets: {}}', "jobs:rspec:release:assets links can't be blank"],
    [
      'release: {tag_name: t, description: d, assets: {links: []}}',
      "jobs:rspec:release:assets:links config can't be blank",
    ],
    [
      'release: {tag_name: t, description: d, assets: {links: x}}',
      'jobs:rspec:release:assets:links config should be an array',
    ],
    [
      'release: {tag_name: t, description: d, assets: {links: [{name: n}]}}',
      "jobs:rspec:release:assets:links:link url can't be blank",
    ],
    [
      'release: {tag_name: t, description: d, assets: {links: [{name: n, url: u, link_type: x}]}}',
      'jobs:rspec:release:assets:links:link link type must be one of: other, runbook, image, package',
    ],
  ],
  'retry (CI language, 12.2), at a place of its own': [
    ['retry: 3', 'retry config must be less than or equal to 2'],
    ['retry: -1', 'retry config must be greater than or equal to 0'],
    ['retry: true', 'retry config has to be either an integer or a hash'],
    ['retry: [1]', 'retry config has to be either an integer or a hash'],
    ['retry: often', 'retry config has to be either an integer or a hash'],
    ['retry: 1.5', 'retry config has to be either an integer or a hash'],
    ['retry: {foo: 1}', 'retry config contains unknown keys: foo'],
    ['retry: {max: 3}', 'retry max must be less than or equal to 2'],
    ['retry: {max: 1.5}', 'retry max must be an integer'],
    ['retry: {max: x}', 'retry max is not a number'],
    ['retry: {when: x}', 'retry when is not included in the list'],
    ['retry: {when: [always, x, y]}', 'retry when contains unknown values: x, y'],
    ['retry: {when: 1}', 'retry when should be an array of strings or a string'],
    ['retry: {exit_codes: x}', 'retry exit codes should be an array of integers or an integer'],
  ],
  'when, start_in, manual_confirmation (CI language, 3.16)': [
    ['when: delayed', 'jobs:rspec start in should be a duration'],
    ['when: delayed, start_in: soon', 'jobs:rspec start in should be a duration'],
    ['when: delayed, start_in: 10', 'jobs:rspec start in should be a duration'],
    ['when: delayed, start_in: 8 days', 'jobs:rspec start in should not exceed the limit'],
    ['start_in: 1 day', 'jobs:rspec start in must be blank'],
    ['when: manual, start_in: 1 day', 'jobs:rspec start in must be blank'],
    ['manual_confirmation: 1', 'jobs:rspec manual confirmation should be a string'],
  ],
  'id_tokens and secrets (CI language, 3.17)': [
    ['id_tokens: x', 'jobs:rspec:id_tokens config should be a hash'],
    ['id_tokens: {T: x}', 'jobs:rspec:id_tokens:t config missing required keys: aud'],
    ['id_tokens: {T: {}}', 'jobs:rspec:id_tokens:t config missing required keys: aud'],
    ['id_tokens: {T: {aud: 1}}', 'jobs:rspec:id_tokens:t aud should be an array of strings or a string'],
    ['id_tokens: {T: {aud: null}}', 'jobs:rspec:id_tokens:t aud should be an array of strings or a string'],
    ['id_tokens: {T: {aud: []}}', "jobs:rspec:id_tokens:t aud can't be blank"],
    ['id_tokens: {T: {aud: a, sub: b}}', 'jobs:rspec:id_tokens:t config contains unknown keys: sub'],
    ['secrets: x', 'jobs:rspec:secrets config should be a hash'],
    ['secrets: {S: {}}', `jobs:rspec:secrets:s config must use exactly one of these keys: ${PROVIDERS}`],
    [
      'secrets: {S: {vault: a/b@c, gitlab_secrets_manager: {name: d}}}',
      `jobs:rspec:secrets:s config must use exactly one of these keys: ${PROVIDERS}`,
    ],
    ['secrets: {S: {vault: a, foo: b}}', 'jobs:rspec:secrets:s config contains unknown keys: foo'],
    ['secrets: {S: {vault: a, file: b}}', 'jobs:rspec:secrets:s file should be a boolean value'],
    ['secrets: {S: {vault: {path: a}}}', "jobs:rspec:secrets:s:vault field can't be blank"],
    ['secrets: {S: {akeyless: {foo: b}}}', 'jobs:rspec:secrets:s:akeyless config contains unknown keys: foo'],
    ['secrets: {S: {gcp_secret_manager: {}}}', "jobs:rspec:secrets:s:gcp_secret_manager name can't be blank"],
    ['identity: aws', 'jobs:rspec:identity config should be one of: google_cloud'],
    ['identity: [google_cloud]', 'jobs:rspec:identity config should be a string'],
    ['dast_configuration: x', 'jobs:rspec:dast_configuration config should be a hash'],
    ['dast_configuration: {foo: a}', 'jobs:rspec:dast_configuration config contains unknown keys: foo'],
    [
      'dast_configuration: {site_profile: 1}',
      'jobs:rspec:dast_configuration site profile should be a string',
    ],
    ['secrets: {S: {azure_key_vault: {}}}', "jobs:rspec:secrets:s:azure_key_vault name can't be blank"],
  ],
  'pages (CI language, 3.15)': [
    ['pages: 1', 'jobs:rspec:pages config should be a hash or a boolean value'],
    ['pages: {foo: 1}', 'jobs:rspec:pages config contains unknown keys: foo'],
    ['pages: {expire_in: soon}', 'jobs:rspec:pages expire in should be a duration'],
    ['pages: {path_prefix: 1}', 'jobs:rspec:pages path prefix should be a string'],
    ['pages: {publish: ""}', "jobs:rspec:pages publish can't be blank"],
    ['publish: dist', 'jobs:rspec publish can only be used within a `pages` job'],
    ['pages: false, publish: dist', 'jobs:rspec publish can only be used within a `pages` job'],
  ],
  'coverage (CI language, 17.1)': [
    ['coverage: 1', 'jobs:rspec:coverage config must be a regular expression with re2 syntax'],
    ['coverage: abc', 'jobs:rspec:coverage config must be a regular expression with re2 syntax'],
    ['coverage: /(/', 'jobs:rspec:coverage config must be a regular expression with re2 syntax'],
    ['coverage: "/(?=a)/"', 'jobs:rspec:coverage config must be a regular expression with re2 syntax'],
  ],
  'other keywords (CI language, 3.1 and 3.7)': [
    ['interruptible: x', 'jobs:rspec:interruptible config should be a boolean value'],
    ['resource_group: 1', 'jobs:rspec resource group should be a string'],
    [
      `resource_group: ${'r'.repeat(256)}`,
      'jobs:rspec resource group is too long (maximum is 255 characters)',
    ],
    [
      'image: {name: a, kubernetes: b}',
      'jobs:rspec:image executor opts value at `/kubernetes` is not an object',
    ],
    [
      'image: {name: a, kubernetes: {foo: 1}}',
      'jobs:rspec:image executor opts object property at `/kubernetes/foo` is a disallowed additional property',
    ],
    [
      'image: {name: a, kubernetes: {user: [1]}}',
      'jobs:rspec:image executor opts value at `/kubernetes/user` is not one of the types: ["string", "integer"]',
    ],
    [
      'image: {name: a, kubernetes: {user: ""}}',
      'jobs:rspec:image executor opts string length at `/kubernetes/user` is less than: 1',
    ],
    [
      'image: {name: a, docker: {user: ""}}',
      'jobs:rspec:image executor opts string length at `/docker/user` is less than: 1',
    ],
    [
      'image: {name: a, docker: {platform: ""}}',
      'jobs:rspec:image executor opts string length at `/docker/platform` is less than: 1',
    ],
    [
      'services: [{name: a, docker: {user: ""}}]',
      'jobs:rspec:services:service executor opts string length at `/docker/user` is less than: 1',
    ],
    [
      'services: [{name: a, docker: {platform: ""}}]',
      'jobs:rspec:services:service executor opts string length at `/docker/platform` is less than: 1',
    ],
    ['image: {name: a, ports: [80]}', 'jobs:rspec:image config contains disallowed keys: ports'],
    [
      'services: [{name: a, ports: [80]}]',
      'jobs:rspec:services:service config contains disallowed keys: ports',
    ],
  ],
  'parallel (CI language, 3.12)': [
    ['parallel: 0', 'jobs:rspec:parallel config must be greater than or equal to 1'],
    ['parallel: 201', 'jobs:rspec:parallel config must be less than or equal to 200'],
    ['parallel: 1.5', 'jobs:rspec:parallel config must be an integer'],
    ['parallel: many', 'jobs:rspec:parallel should be an integer or a hash'],
    ['parallel: {foo: 1}', 'jobs:rspec:parallel config contains unknown keys: foo'],
    ['parallel: {}', 'jobs:rspec:parallel config missing required keys: matrix'],
    ['parallel: {matrix: x}', 'jobs:rspec:parallel:matrix config should be an array of hashes'],
    ['parallel: {matrix: null}', 'jobs:rspec:parallel:matrix config should be an array of hashes'],
    ['parallel: {matrix: [x]}', 'jobs:rspec:parallel:matrix config should be an array of hashes'],
    ['parallel: {matrix: []}', 'jobs:rspec:parallel:matrix config requires at least 1 items'],
    ['parallel: {matrix: [{}]}', 'jobs:rspec:parallel:matrix:variables config requires at least 1 items'],
    ...['1.5', 'true', 'null', '""', '[]', '[1, true]', '[[a]]', '{a: b}'].map((value): [string, string] => [
      `parallel: {matrix: [{A: ${value}}]}`,
      'jobs:rspec:parallel:matrix:variables config should be a hash of key value pairs, value can be an array',
    ]),
    [
      `parallel: {matrix: [{A: [${'1, '.repeat(100)}], B: [1, 2]}, {C: 1}]}`,
      'jobs:rspec:parallel:matrix config generates too many jobs (maximum is 200)',
    ],
  ],
  'needs (CI language, 3.8)': [
    ['needs: [[[1]]]', 'jobs:rspec:needs:need has an unsupported type'],
    ['needs: [{ref: main}]', 'jobs:rspec:needs:need has an unsupported type'],
    ['needs: [{job: rspec, pipeline: 1, foo: 1}]', 'jobs:rspec:needs:need config contains unknown keys: foo'],
    ['needs: [{job: a, pipeline: ""}]', "jobs:rspec:needs:need pipeline can't be blank"],
    [
      `needs: [{job: a, pipeline: 1, parallel: {matrix: [{A: [${Array.from({ length: 51 }, (_, i) => `v${i}`).join(', ')}]}]}}]`,
      'jobs:rspec:needs config must be less than or equal to 50',
    ],
    [
      'needs: [{job: a, pipeline: 1, optional: x}]',
      'jobs:rspec:needs:need optional should be a boolean value',
    ],
    ['needs: [{project: a/b, job: c}]', "jobs:rspec:needs:need ref can't be blank"],
    ['needs: [{project: a/b, ref: c}]', "jobs:rspec:needs:need job can't be blank"],
    ['needs: [{project: 1, ref: c, job: d}]', 'jobs:rspec:needs:need project should be a string'],
    ['needs: [{pipeline: a/b}]', 'jobs:rspec:needs config uses invalid types: bridge'],
    [
      'needs: [{job: a, parallel: 2}]',
      'jobs:rspec:needs:need:parallel config cannot use "parallel: <number>".',
    ],
    ['needs: [{job: a, parallel: x}]', 'jobs:rspec:needs:need:parallel should be an integer or a hash'],
    [
      'needs: [{job: a, parallel: {matrix: [{A: 1.5}]}}]',
      'jobs:rspec:needs:need:parallel:matrix:variables config should be a hash of key value pairs, value can be an array',
    ],
    [
      `needs: [${'{pipeline: $P, job: a}, '.repeat(6)}]`,
      'jobs:rspec:needs config must be less than or equal to 5',
    ],
    [
      `needs: [${'{project: p, ref: r, job: a}, '.repeat(6)}]`,
      'jobs:rspec:needs config must be less than or equal to 5',
    ],
    [
      'needs: [{pipeline: $P, job: a}], dependencies: [a]',
      'jobs:rspec needs corresponding to dependencies must be from the same pipeline',
    ],
  ],
}

/** The whole of a job without a script. */
/** Jobs without a script. */
const nativeSteps: Table = [
  ['run: []', "jobs:rspec run can't be blank"],
  ['run: null', "jobs:rspec run can't be blank"],
  ['run: x', 'jobs:rspec run value at root is not an array'],
  ['run: [x]', 'jobs:rspec run value at `/0` is not an object'],
  ['run: [{script: x}]', 'jobs:rspec run object at `/0` is missing required properties: name'],
  ['run: [{step: some reference}]', 'jobs:rspec run object at `/0` is missing required properties: name'],
  [
    'run: [{name: a, step: x, invalid_key: y}]',
    'jobs:rspec run object property at `/0/invalid_key` is a disallowed additional property',
  ],
  ['run: [{name: a, step: x, func: y}]', 'jobs:rspec run value at `/0` matches `not` schema'],
  [
    'run: [{name: a, script: x}, {name: b}]',
    'jobs:rspec run object at `/1` is missing required properties: step',
  ],
  ['run: [{name: a}]', 'jobs:rspec run object at `/0` is missing required properties: step'],
  [
    'run: [{name: a, script: x, step: y}]',
    'jobs:rspec run object property at `/0/script` is a disallowed additional property',
  ],
  [
    'run: [{name: a, script: x, foo: y}]',
    'jobs:rspec run object property at `/0/foo` is a disallowed additional property',
  ],
  ['run: [{name: 1, script: x}]', 'jobs:rspec run value at `/0/name` is not a string'],
  [
    'run: [{name: 1a, script: x}]',
    'jobs:rspec run string at `/0/name` does not match pattern: ^[a-za-z_][a-za-z0-9_]*$',
  ],
  ['run: [{name: a, script: [x]}]', 'jobs:rspec run value at `/0/script` is not a string'],
  ['run: [{name: a, script: ""}]', 'jobs:rspec run string length at `/0/script` is less than: 1'],
  ['run: [{name: a, step: [x]}]', 'jobs:rspec run value at `/0/step` is not a string'],
  ['run: [{name: a, func: 1}]', 'jobs:rspec run value at `/0/func` is not a string'],
  ['run: [{name: a, step: x, inputs: [1]}]', 'jobs:rspec run value at `/0/inputs` is not an object'],
  ['run: [{name: a, script: x, env: [1]}]', 'jobs:rspec run value at `/0/env` is not an object'],
  ['run: [{name: a, script: x, env: {A: 1}}]', 'jobs:rspec run value at `/0/env/a` is not a string'],
  [
    'run: [{name: a, script: x, env: {A-B: x}}]',
    'jobs:rspec run object property at `/0/env/a-b` is a disallowed additional property',
  ],
  [
    'run: [{name: a, step: x, inputs: {a-b: 1}}]',
    'jobs:rspec run object property at `/0/inputs/a-b` is a disallowed additional property',
  ],
  [
    'run: [{name: a, script: x, inputs: {a: 1}}]',
    'jobs:rspec run object property at `/0/inputs` is a disallowed additional property',
  ],
  [
    'run: [{name: a, step: {git: {url: u}}}]',
    'jobs:rspec run object at `/0/step/git` is missing required properties: rev',
  ],
  [
    'run: [{name: a, step: {git: {rev: r}}}]',
    'jobs:rspec run object at `/0/step/git` is missing required properties: url',
  ],
  [
    'run: [{name: a, func: {git: {url: u, rev: r, tag: t}}}]',
    'jobs:rspec run object property at `/0/func/git/tag` is a disallowed additional property',
  ],
  [
    'run: [{name: a, func: {git: {url: 1, rev: r}}}]',
    'jobs:rspec run value at `/0/func/git/url` is not a string',
  ],
  [
    'run: [{name: a, step: {oci: {registry: r, repository: p}}}]',
    'jobs:rspec run object at `/0/step/oci` is missing required properties: tag',
  ],
  [
    'run: [{name: a, step: {svn: {url: u}}}]',
    'jobs:rspec run object at `/0/step` is missing required properties: git',
  ],
  [
    'run: [{name: a, step: {git: {url: u, rev: r}, oci: {registry: r, repository: p, tag: t}}}]',
    'jobs:rspec run object property at `/0/step/oci` is a disallowed additional property',
  ],
  ['run: [{name: a, script: x, env: {A: [1]}}]', 'jobs:rspec run value at `/0/env/a` is not a string'],
  ...['run, trigger', 'run, release', 'run, before_script', 'run, after_script'].map(
    (pair): [string, string] => [
      `run: [{name: a, script: x}], ${pair.replace('run, ', '')}: x`,
      `jobs:rspec config these keys cannot be used together: ${pair}`,
    ],
  ),
]

describe('errors in run (CI language, 3.2)', () => {
  test.each(nativeSteps)('%s', async (keywords, message) => {
    const [first] = await errorsOf(`rspec: {${keywords}}`)
    expect(first).toBe(message)
  })
})

const triggerJobs: Table = [
  ['{trigger: ""}', "jobs:rspec:trigger config can't be blank"],
  ['{trigger: 1}', 'jobs:rspec:trigger has to be either a string or a hash'],
  ['{trigger: null}', 'jobs:rspec config should contain either a trigger or a needs:pipeline'],
  ['{trigger: {}}', "jobs:rspec:trigger config can't be blank"],
  ['{trigger: {branch: a}}', "jobs:rspec:trigger project can't be blank"],
  ['{trigger: {project: 1}}', 'jobs:rspec:trigger project should be a string'],
  ['{trigger: {project: a, foo: b}}', 'jobs:rspec:trigger config contains unknown keys: foo'],
  ['{trigger: {project: a, strategy: wait}}', 'jobs:rspec:trigger strategy should be depend or mirror'],
  ['{trigger: {include: a, branch: b}}', 'jobs:rspec:trigger config contains unknown keys: branch'],
  ['{trigger: {include: null}}', "jobs:rspec:trigger:include config can't be blank"],
  ['{trigger: {include: []}}', "jobs:rspec:trigger:include config can't be blank"],
  ['{trigger: {include: 1}}', 'jobs:rspec:trigger:include config should be an array or a string'],
  ['{trigger: {include: [a, b, c, d]}}', 'jobs:rspec:trigger:include config is too long (maximum is 3)'],
  ['{trigger: {include: [1]}}', 'jobs:rspec:trigger:include:include config should be a hash or a string'],
  ['{trigger: {include: {foo: a}}}', 'jobs:rspec:trigger:include:include config contains unknown keys: foo'],
  [
    '{trigger: {include: {project: a}}}',
    'jobs:rspec:trigger:include:include config must specify the file where to fetch the config from',
  ],
  [
    '{trigger: {include: {artifact: a}}}',
    'jobs:rspec:trigger:include:include config must specify the job where to fetch the artifact from',
  ],
  [
    '{trigger: {include: {local: a.yml, cache: true}}}',
    'jobs:rspec:trigger:include:include config cache can only be specified for remote includes',
  ],
  [
    '{trigger: {include: [{local: a.yml, integrity: sha256-a}]}}',
    'jobs:rspec:trigger:include:include config integrity can only be specified for remote includes',
  ],
  [
    '{trigger: {include: {remote: "https://a.example/b.yml", integrity: md5-a}}}',
    "jobs:rspec:trigger:include:include config integrity hash must start with 'sha256-'",
  ],
  [
    '{trigger: {include: {remote: "https://a.example/b.yml", cache: soon}}}',
    'jobs:rspec:trigger:include:include config cache should be true or a duration of at least 1 minute',
  ],
  [
    '{trigger: {project: a, forward: {foo: true}}}',
    'jobs:rspec:trigger:forward config contains unknown keys: foo',
  ],
  [
    '{trigger: {project: a, forward: {yaml_variables: a}}}',
    'jobs:rspec:trigger:forward yaml variables should be a boolean value',
  ],
  ['{trigger: {project: a, inputs: b}}', 'jobs:rspec:trigger:inputs config should be a hash'],
  ...'after_script artifacts before_script cache coverage dependencies hooks id_tokens identity image inputs manual_confirmation pages publish release retry secrets services start_in tags timeout'
    .split(' ')
    .map((key): [string, string] => [
      `{trigger: a, ${key}: b}`,
      `jobs:rspec config contains unknown keys: ${key}`,
    ]),
  ['{trigger: a, when: [always]}', 'jobs:rspec when should be a string'],
  ['{trigger: a, when: true}', 'jobs:rspec when should be a string'],
  ['{trigger: {project: a, strategy: [depend]}}', 'jobs:rspec:trigger strategy should be a string'],
  ['{trigger: a, when: delayed}', 'jobs:rspec when should be one of: on_success, on_failure, always, manual'],
  ['{trigger: a, allow_failure: {exit_codes: 1}}', 'jobs:rspec allow failure should be a boolean value'],
  ['{trigger: a, parallel: 2}', 'jobs:rspec:parallel config cannot use "parallel: <number>".'],
  ['{trigger: a, stage: 1}', 'jobs:rspec:stage config should be a string'],
  [
    '{trigger: a, needs: [{pipeline: 1, job: b}]}',
    'jobs:rspec:needs config uses invalid types: cross_dependency',
  ],
  ['{needs: []}', 'jobs:rspec config should contain either a trigger or a needs:pipeline'],
  ['{needs: [{pipeline: a}, {pipeline: b}]}', 'jobs:rspec config should contain at most one bridge need'],
  ['{needs: {pipeline: ""}}', "jobs:rspec:needs:need pipeline can't be blank"],
]

describe('errors in a trigger job (CI language, 3.8 and 13.1)', () => {
  test.each(triggerJobs)('%s', async (job, message) => {
    const [first] = await errorsOf(`rspec: ${job}`)
    expect(first).toBe(message)
  })
})

describe.each(Object.entries(tables))('errors in %s', (_, table) => {
  test.each(table)('%s', async (keywords, message) => {
    const [first] = await errorsOf(`rspec: {script: x, ${keywords}}`)
    expect(first).toBe(message)
  })
})

describe('errors in default', () => {
  test.each<[string, string]>([
    ['default: {interruptible: x}', 'default:interruptible config should be a boolean value'],
    ['default: {retry: 3}', 'retry config must be less than or equal to 2'],
    ['default: {id_tokens: {T: {}}}', 'default:id_tokens:t config missing required keys: aud'],
  ])('%s', async (text, message) => {
    expect(await errorsOf(`${text}\nrspec: {script: x}`)).toEqual([message])
  })
})

describe('retry:when (CI language, 10.3 and 12.2)', () => {
  const newer = [
    'stuck_pending_with_matching_runners',
    'stuck_pending_no_matching_runners',
    'no_updates_running',
    'no_updates_canceling',
    'server_timeout_running',
    'server_timeout_canceling',
  ]

  test('takes the exact reasons without a warning', async () => {
    const { warnings } = await planOf(`a: {script: x, retry: {max: 2, when: [${newer.join(', ')}]}}`)
    expect(warnings).toEqual([])
  })

  test.each([
    [
      'a: {script: x, retry: {max: 2, when: [stuck_or_timeout_failure, job_execution_timeout]}}',
      'jobs:a',
      newer,
    ],
    ['a: {script: x, retry: {max: 1, when: job_execution_timeout}}', 'jobs:a', newer.slice(4)],
    [
      'default: {retry: {max: 1, when: stuck_or_timeout_failure}}\na: {script: x}',
      'default',
      newer.slice(0, 4),
    ],
  ])('warns of reasons that others have replaced: %s', async (text, at, instead) => {
    const old =
      instead.length === 6
        ? 'stuck_or_timeout_failure, job_execution_timeout'
        : instead.length === 2
          ? 'job_execution_timeout'
          : 'stuck_or_timeout_failure'
    expect((await planOf(text)).warnings).toEqual([
      `${at}:retry contains deprecated \`when\` value(s): ${old}. ` +
        `Use the more exact reasons instead: ${instead.join(', ')}`,
    ])
  })
})
