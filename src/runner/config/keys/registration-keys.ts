import { keysOf, type KnownKey } from './known-key.js'

/** Keys of `[[runners]]` (runner protocol, 9.3), but for the tables of the executor and of the cache. */
export const ENTRY_KEYS: KnownKey[] = [
  ...keysOf(
    [],
    { flag: '', variable: 'RUNNER' },
    {
      name: ['string', 'name of the runner (default: the name of the machine)', { alias: '--description' }],
      url: ['string', 'address of the coordinator', { alias: '-u', variable: 'CI_SERVER_URL' }],
      'tls-ca-file': [
        'string',
        'authority that signed the certificate of the coordinator',
        { variable: 'CI_SERVER_TLS_CA_FILE' },
      ],
      'tls-cert-file': ['string', 'certificate to show', { variable: 'CI_SERVER_TLS_CERT_FILE' }],
      'tls-key-file': ['string', 'key of that certificate', { variable: 'CI_SERVER_TLS_KEY_FILE' }],
      executor: ['string', 'docker'],
      limit: ['integer', 'jobs at a time; 0 = no limit of its own'],
      request_concurrency: ['integer', 'requests for a job that may be open at a time'],
      strict_check_interval: ['boolean', 'wait before every request, also after one that brought a job'],
      output_limit: ['integer', 'longest log of a job, in KiB'],
      unhealthy_requests_limit: ['integer', 'refusals in a row after which the runner rests'],
      unhealthy_interval: ['string', 'how long it rests, such as 60m'],
      job_status_final_update_retry_limit: ['integer', 'tries to hand over the result of a job'],
      builds_dir: ['string', 'where jobs find their sources'],
      cache_dir: ['string', 'where caches are kept'],
      clone_url: ['string', 'address to fetch repositories from', { variable: 'CLONE_URL' }],
      environment: ['list', 'KEY=value, a variable for every job', { flag: '--env', variable: 'RUNNER_ENV' }],
      shell: ['string', 'shell of the scripts'],
      pre_get_sources_script: ['string', 'runs before sources are fetched'],
      post_get_sources_script: ['string', 'runs after sources were fetched'],
      pre_clone_script: ['string', 'older name of pre-get-sources-script'],
      post_clone_script: ['string', 'older name of post-get-sources-script'],
      pre_build_script: ['string', 'runs before the script of a job'],
      post_build_script: ['string', 'runs after the script of a job'],
      prepare_timeout: ['string', 'limit for preparing a job, such as 15m'],
      get_sources_timeout: ['string', 'limit for fetching sources, such as 10m'],
      debug_trace_disabled: ['boolean', 'jobs may not ask for CI_DEBUG_TRACE'],
      allowed_local_hosts: ['list', 'host or network of the local network that jobs may name'],
      workspace: ['string', 'how jobs get their files: auto, bind or volume'],
      safe_directory_checkout: ['boolean', 'git trusts the folder of the job'],
      clean_git_config: ['boolean', 'remove git settings that a job left'],
      feature_flags: ['switches', 'FF_NAME:true', { variable: 'FEATURE_FLAGS' }],
      labels: ['map', 'key=value, told to the coordinator'],
    },
  ),
  ...keysOf(
    ['custom_build_dir'],
    { flag: 'custom-build-dir', variable: 'CUSTOM_BUILD_DIR' },
    {
      enabled: ['boolean', 'jobs may set GIT_CLONE_PATH', { alias: '--custom_build_dir-enabled' }],
    },
  ),
  ...keysOf(
    ['artifact'],
    { flag: 'artifact', variable: 'ARTIFACT' },
    {
      upload_timeout: ['string', 'limit for one upload, such as 1h'],
      response_header_timeout: ['string', 'limit until its answer begins, such as 10m'],
    },
  ),
  ...keysOf(
    ['monitoring'],
    { flag: 'monitoring', variable: 'MONITORING' },
    {
      job_queuing_duration: ['table', 'JSON: when waiting jobs wait too long'],
    },
  ),
]
