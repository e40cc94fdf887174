import type { AkeylessSecret, AwsSecret, AzureSecret, GcpSecret } from '../../../../protocol/job-secrets.js'
import { type SecretFacts, textOrUndefined } from './secret-facts.js'

/** Reads the server from `AZURE_KEY_VAULT_SERVER_URL`, `AZURE_CLIENT_ID` and `AZURE_TENANT_ID`. */
export function azureSecret({ written, jwt = '', required }: SecretFacts): AzureSecret {
  const version = versionOf(written.version)
  return {
    name: textOrUndefined(written.name) ?? '',
    ...(version !== undefined && { version }),
    server: {
      url: required('AZURE_KEY_VAULT_SERVER_URL'),
      client_id: required('AZURE_CLIENT_ID'),
      tenant_id: required('AZURE_TENANT_ID'),
      jwt,
    },
  }
}

/**
 * Reads the server from `GCP_PROJECT_NUMBER`, `GCP_WORKLOAD_IDENTITY_FEDERATION_POOL_ID` and
 * `GCP_WORKLOAD_IDENTITY_FEDERATION_PROVIDER_ID`.
 */
export function gcpSecret({ written, jwt = '', required }: SecretFacts): GcpSecret {
  return {
    name: textOrUndefined(written.name) ?? '',
    version: versionOf(written.version) ?? 'latest',
    server: {
      project_number: required('GCP_PROJECT_NUMBER'),
      workload_identity_federation_pool_id: required('GCP_WORKLOAD_IDENTITY_FEDERATION_POOL_ID'),
      workload_identity_federation_provider_id: required('GCP_WORKLOAD_IDENTITY_FEDERATION_PROVIDER_ID'),
      jwt,
    },
  }
}

const AWS_TOKEN = '$AWS_ID_TOKEN'

/**
 * Reads the provider settings from `AWS_REGION`, which the secret may override, `AWS_ROLE_ARN` and
 * `AWS_ROLE_SESSION_NAME`.
 */
export function awsSecret({ written, jwt = AWS_TOKEN, variable, required }: SecretFacts): AwsSecret {
  const role_arn = variable('AWS_ROLE_ARN')
  const role_session_name = variable('AWS_ROLE_SESSION_NAME')
  const region = textOrUndefined(written.region) ? variable('AWS_REGION') : required('AWS_REGION')
  return {
    ...awsPlace(written),
    server: {
      jwt,
      ...(region && { region }),
      ...(role_arn && { role_arn }),
      ...(role_session_name && { role_session_name }),
    },
  }
}

const AWS_KEYS = [
  'secret_id',
  'version_id',
  'version_stage',
  'region',
  'role_arn',
  'role_session_name',
  'field',
] as const

/** The value is `secret_id#field` or a map. */
function awsPlace(written: SecretFacts['written']): Omit<AwsSecret, 'server'> {
  const text = textOrUndefined(written.text)
  if (text === undefined) return { secret_id: '', ...readTexts(written, AWS_KEYS) }
  const [secret_id = '', field] = text.split('#', 2)
  return { secret_id, ...(field !== undefined && { field }) }
}

const AKEYLESS_KEYS = ['name', 'data_key', 'cert_user_name', 'public_key_data', 'csr_data'] as const

const AKEYLESS_SERVER_KEYS = [
  'akeyless_token',
  'uid_token',
  'gcp_audience',
  'azure_object_id',
  'k8s_service_account_token',
  'k8s_auth_config_name',
  'gateway_ca_certificate',
] as const

/** Reads the account from `AKEYLESS_ACCESS_ID`. */
export function akeylessSecret({ written, jwt, required }: SecretFacts): AkeylessSecret {
  const accessKey = textOrUndefined(written.akeyless_access_key)
  return {
    ...readTexts(written, AKEYLESS_KEYS),
    server: {
      access_id: required('AKEYLESS_ACCESS_ID'),
      ...(accessKey !== undefined && { access_key: accessKey }),
      akeyless_api_url: textOrUndefined(written.akeyless_api_url) ?? 'https://api.akeyless.io',
      akeyless_access_type: textOrUndefined(written.akeyless_access_type) ?? 'jwt',
      ...Object.fromEntries(AKEYLESS_SERVER_KEYS.map((key) => [key, textOrUndefined(written[key]) ?? ''])),
      ...(jwt !== undefined && { jwt }),
    },
  }
}

function readTexts<K extends string>(
  written: SecretFacts['written'],
  keys: readonly K[],
): Partial<Record<K, string>> {
  const texts = keys.flatMap((key): [K, string][] => {
    const text = versionOf(written[key])
    return text === undefined ? [] : [[key, text]]
  })
  return Object.fromEntries(texts) as Partial<Record<K, string>>
}

/** A version may be a number. */
function versionOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOrUndefined(value)
}
