/** A valid file with every keyword of the published schema and all subkeys. */
export const EVERY_KEYWORD = `
spec:
  description: everything
  inputs:
    text: {default: a, description: d, options: [a, b]}
    number: {type: number, default: 1}
    flag: {type: boolean, default: true}
    list: {type: array, default: [x, y]}
    pattern: {default: v1, regex: ^v\\d$}
    ruled:
      rules:
        - {if: '$[[ inputs.text ]] == "a"', default: c, options: [c, d]}
        - {default: e}
  component: [name, sha]
---
stages: [build, test, [deploy]]
variables:
  PLAIN: text
  FULL: {value: a, description: d, options: [a, b], expand: false}
workflow:
  name: run $[[ inputs.text ]]
  auto_cancel: {on_new_commit: interruptible, on_job_failure: none}
  rules:
    - {if: $NEVER_SET, changes: {paths: [a], compare_to: main}, exists: [b], when: never}
    - {when: always, variables: {A: b}, auto_cancel: {on_new_commit: none}}
default:
  image: {name: alpine, entrypoint: [sh], pull_policy: [always, never], docker: {platform: linux/arm64, user: u}, kubernetes: {user: 1}}
  services: [postgres, {name: redis, alias: cache, command: [x], entrypoint: [y], variables: {A: b}, pull_policy: never}]
  before_script: [a, [b]]
  after_script: c
  cache: [{key: {files: [a, b], prefix: p}, paths: [c], untracked: true, policy: pull, when: always, unprotect: true, fallback_keys: [d]}, {key: {files_commits: [a]}}]
  hooks: {pre_get_sources_script: [a]}
  id_tokens: {DEFAULT: {aud: a}}
  identity: google_cloud
  interruptible: true
  retry: {max: 2, when: [runner_system_failure, script_failure], exit_codes: [1, 2]}
  tags: [linux]
  timeout: 1 hour
  artifacts: {paths: [a]}
.hidden: {variables: {H: i}}
build:
  extends: [.hidden]
  stage: build
  script: ["echo $[[ inputs.list ]]", [nested]]
  artifacts:
    {name: n, paths: [a], exclude: [b], expose_as: c, untracked: true, when: always, expire_in: 1 day, access: developer,
     reports: {junit: a.xml, dotenv: [b.env], coverage_report: {coverage_format: cobertura, path: c.xml}, codequality: q.json}}
  coverage: /\\d+%/
  parallel: {matrix: [{A: [x, y], B: z}]}
  inherit: {default: [image, tags], variables: [PLAIN]}
  manual_confirmation: sure?
  resource_group: r
  inputs: {who: {default: me, options: [me, you], description: d, type: string}}
  secrets:
    VAULT: {vault: {engine: {name: kv-v2, path: ops}, path: p, field: f}, file: false, token: $DEFAULT}
    SHORT: {vault: p/f@ops}
    AZURE: {azure_key_vault: {name: n, version: v}, token: $DEFAULT}
    GCP: {gcp_secret_manager: {name: n, version: 3}, token: $DEFAULT}
    AWS: {aws_secrets_manager: {secret_id: i, version_id: v, version_stage: s, region: r, role_arn: a, role_session_name: n, field: f}}
    AKEYLESS: {akeyless: {name: n, data_key: d}}
    OWN: {gitlab_secrets_manager: {name: n}}
  dast_configuration: {site_profile: s, scanner_profile: t}
  rules:
    - {if: $PLAIN, changes: [a], exists: {paths: [b]}, when: delayed, start_in: 5 minutes, allow_failure: true, variables: {A: b}, needs: [], interruptible: false}
    - [{when: on_success}]
steps:
  run:
    - {name: one, script: x, env: {A: b}}
    - {name: two, step: {git: {url: u, rev: r, dir: d, file: f}}, inputs: {a: 1}}
    - {name: three, func: {oci: {registry: r, repository: p, tag: t, dir: d, file: f}}}
test:
  script: x
  when: delayed
  start_in: 1 minute
  allow_failure: {exit_codes: [1]}
  dependencies: [build]
  needs:
    - {job: build, artifacts: true, optional: false, parallel: {matrix: [{A: x, B: z}]}}
    - {pipeline: $PARENT, job: j, artifacts: true, optional: true, parallel: {matrix: [{A: x}]}}
    - {project: g/p, job: j, ref: main, artifacts: true, parallel: {matrix: [{A: x}]}}
old:
  script: x
  only: {refs: [main, /a-b/], variables: [$PLAIN], changes: [a], kubernetes: active}
  except: [tags]
release:
  stage: deploy
  script: x
  release: {tag_name: t, description: d, tag_message: m, name: n, ref: main, milestones: [a], released_at: '2024-01-01T00:00:00Z', assets: {links: [{name: n, url: u, filepath: /f, link_type: other}]}}
  environment: {name: production, url: https://a.example, action: start, on_stop: stop, auto_stop_in: 1 day, deployment_tier: production, kubernetes: {agent: a, namespace: n, flux_resource_path: f, managed_resources: {enabled: true}, dashboard: {namespace: n, flux_resource_path: f}}}
stop:
  stage: deploy
  when: manual
  script: x
  environment: {name: production, action: stop}
site:
  stage: deploy
  script: x
  pages: {path_prefix: p, expire_in: 1 day, publish: public}
child:
  stage: deploy
  trigger:
    include: [{local: a.yml, inputs: {a: 1}}, {remote: 'https://a.example/b.yml', cache: 1 day}, {artifact: c.yml, job: steps}]
    strategy: depend
    forward: {yaml_variables: true, pipeline_variables: true}
    inputs: {b: 2}
other:
  stage: deploy
  trigger: {project: g/p, branch: main, strategy: mirror}
  allow_failure: true
mirror:
  stage: deploy
  needs: {pipeline: g/p}
`.trimStart()
