import { keysOf, type KnownKey } from './known-key.js'

/** Keys of `[[runners]]` (runner protocol, 9.3), except for the tables of the executor and the cache. */
export const ENTRY_KEYS: KnownKey[] = [
  ...keysOf(
    [],
    { flag: '', variable: 'RUNNER' },
    {
      name: ['string', 'name of the runner (default: the host name)', { alias: '--description' }],
      url: ['string', 'URL of the coordinator', { alias: '-u', variable: 'CI_SERVER_URL' }],
      'tls-ca-file': [
        'string',
        'certificate authority of the coordinator',
        { variable: 'CI_SERVER_TLS_CA_FILE' },
      ],
      'tls-cert-file': ['string', 'client certificate', { variable: 'CI_SERVER_TLS_CERT_FILE' }],
      'tls-key-file': ['string', 'key of the client certificate', { variable: 'CI_SERVER_TLS_KEY_FILE' }],
      executor: ['string', 'docker, docker-hosts for several engines, docker-autoscaler, or kubernetes'],
      limit: ['integer', 'maximum concurrent jobs; 0 = no limit of its own'],
      request_concurrency: ['integer', 'maximum concurrent job requests'],
      strict_check_interval: ['boolean', 'wait before every request, even after one that returned a job'],
      output_limit: ['integer', 'maximum size of a job log, in KiB'],
      unhealthy_requests_limit: ['integer', 'consecutive refusals after which the runner pauses'],
      unhealthy_interval: ['string', 'length of the pause, such as 60m'],
      job_status_final_update_retry_limit: ['integer', 'attempts to deliver the result of a job'],
      builds_dir: ['string', 'path of the sources in the container'],
      cache_dir: ['string', 'path of caches'],
      clone_url: ['string', 'URL to fetch repositories from', { variable: 'CLONE_URL' }],
      environment: ['list', 'KEY=value, a variable for every job', { flag: '--env', variable: 'RUNNER_ENV' }],
      shell: ['string', 'shell of the scripts'],
      pre_get_sources_script: ['string', 'runs before sources are fetched'],
      post_get_sources_script: ['string', 'runs after sources were fetched'],
      pre_clone_script: ['string', 'deprecated name of pre-get-sources-script'],
      post_clone_script: ['string', 'deprecated name of post-get-sources-script'],
      pre_build_script: ['string', 'runs before the script of a job'],
      post_build_script: ['string', 'runs after the script of a job'],
      prepare_timeout: ['string', 'limit for preparing a job, such as 15m'],
      get_sources_timeout: ['string', 'limit for fetching sources, such as 10m'],
      debug_trace_disabled: ['boolean', 'ignore CI_DEBUG_TRACE of jobs'],
      allowed_local_hosts: ['list', 'host or network of the local network that jobs may name'],
      workspace: ['string', 'how jobs access their files: auto, bind or volume'],
      script_output: ['string', 'where scripts write: auto (files if possible) or engine'],
      safe_directory_checkout: ['boolean', 'mark the folder of the job as safe for git'],
      clean_git_config: ['boolean', 'remove git settings that a job left behind'],
      feature_flags: ['switches', 'FF_NAME:true', { variable: 'FEATURE_FLAGS' }],
      docker_hosts: ['tables', 'JSON with host, name, concurrent, weight, ssh_key_file'],
      autoscaler: ['table', 'JSON with plugin, plugin_config, max_instances, policy and others'],
      labels: ['map', 'key=value, sent to the coordinator'],
    },
  ),
  ...keysOf(
    ['custom_build_dir'],
    { flag: 'custom-build-dir', variable: 'CUSTOM_BUILD_DIR' },
    {
      enabled: ['boolean', 'allow jobs to set GIT_CLONE_PATH', { alias: '--custom_build_dir-enabled' }],
    },
  ),
  ...keysOf(
    ['artifact'],
    { flag: 'artifact', variable: 'ARTIFACT' },
    {
      upload_timeout: ['string', 'limit for one upload, such as 1h'],
      response_header_timeout: ['string', 'limit until the response begins, such as 10m'],
    },
  ),
  ...keysOf(
    ['monitoring'],
    { flag: 'monitoring', variable: 'MONITORING' },
    {
      job_queuing_duration: ['table', 'JSON: thresholds for long waiting times of jobs'],
    },
  ),
]
