import type { idTokenShape } from '../entries/id-tokens.js'
import type { dockerShape, imageShape, kubernetesShape } from '../entries/image.js'
import { PULL_POLICIES } from '../entries/pull-policy.js'
import type { gitOriginShape, ociOriginShape, originShape } from '../entries/run-origin.js'
import type { stepShape } from '../entries/run.js'
import type {
  akeylessShape,
  awsShape,
  secretShape,
  storedSecretShape,
  vaultEngineShape,
  vaultShape,
  versionedSecretShape,
} from '../entries/secrets.js'
import type { serviceShape } from '../entries/services.js'
import { either, flag, type KeywordMap, type KeywordsOf, list, map, text, texts } from './keyword.js'

const image: KeywordsOf<typeof imageShape> = {
  name: text('Name of the image, with its registry and tag.'),
  entrypoint: list('Program that the container starts, in place of that of the image.'),
  pull_policy: texts('When the image is pulled; of several, the next one is tried after a failure.', {
    words: PULL_POLICIES,
  }),
  docker: map('Options for Docker.', 'docker'),
  kubernetes: map('Options for other executors.', 'kubernetes'),
}

const service: KeywordsOf<typeof serviceShape> = {
  ...image,
  alias: text('Host names of the service, separated by blanks or commas.'),
  command: texts('Arguments of the entrypoint.'),
  variables: map('Variables of the service alone.', 'variables'),
}

const docker: KeywordsOf<typeof dockerShape> = {
  platform: text('Platform of the image: `linux/arm64`.'),
  user: text('User that runs in the container, by name or number.'),
}

const kubernetes: KeywordsOf<typeof kubernetesShape> = {
  user: either(['string', 'number'], 'User that runs in the container, by number.'),
}

const step: KeywordsOf<typeof stepShape> = {
  name: text('Name of the step.'),
  script: text('Commands of the step.'),
  step: either(['string', 'map'], 'Where the step comes from; `func` is newer.', { map: 'step_origin' }),
  func: either(['string', 'map'], 'Where the function comes from.', { map: 'step_origin' }),
  inputs: map('Values for the inputs of the function.', 'any'),
  env: map('Variables of the step.', 'variables'),
}

const origin: KeywordsOf<typeof originShape> = {
  git: map('A git repository.', 'git_origin'),
  oci: map('An image in a registry.', 'oci_origin'),
}

const gitOrigin: KeywordsOf<typeof gitOriginShape> = {
  url: text('URL of the repository.'),
  rev: text('Branch, tag or commit.'),
  dir: text('Folder in the repository.'),
  file: text('File in the folder.'),
}

const ociOrigin: KeywordsOf<typeof ociOriginShape> = {
  registry: text('Host of the registry.'),
  repository: text('Name of the image.'),
  tag: text('Tag of the image.'),
  dir: text('Folder in the image.'),
  file: text('File in the folder.'),
}

const idToken: KeywordsOf<typeof idTokenShape> = {
  aud: texts('Audience of the token.'),
}

const secret: KeywordsOf<typeof secretShape> = {
  vault: either(['string', 'map'], 'Secret of Vault: `path/field@engine`, or a map.', { map: 'vault' }),
  azure_key_vault: map('Secret of an Azure key vault.', 'versioned_secret'),
  gcp_secret_manager: map('Secret of the Google secret manager.', 'versioned_secret'),
  aws_secrets_manager: either(['string', 'map'], 'Secret of the AWS secrets manager.', { map: 'aws_secret' }),
  akeyless: map('Secret of Akeyless.', 'akeyless_secret'),
  gitlab_secrets_manager: map('Secret of the reference server.', 'stored_secret'),
  file: flag('Whether the variable is the path of a file with the secret; true by default.'),
  token: text('Variable with the ID token for the provider.'),
}

const vault: KeywordsOf<typeof vaultShape> = {
  engine: map('Secrets engine.', 'vault_engine'),
  path: text('Path of the secret.'),
  field: text('Field of the secret.'),
}

const vaultEngine: KeywordsOf<typeof vaultEngineShape> = {
  name: text('Kind of the engine: `kv-v2`.'),
  path: text('Path of the engine.'),
}

const versionedSecret: KeywordsOf<typeof versionedSecretShape> = {
  name: text('Name of the secret.'),
  version: either(['string', 'number'], 'Version of the secret; the latest by default.'),
}

const awsSecret: KeywordsOf<typeof awsShape> = {
  secret_id: text('Name or ARN of the secret.'),
  version_id: either(['string', 'number'], 'Version of the secret.'),
  version_stage: text('Stage of the version.'),
  region: text('Region.'),
  role_arn: text('ARN of the role that the job takes.'),
  role_session_name: text('Name of the session.'),
  field: text('Field of the secret.'),
}

const akeylessSecret: KeywordsOf<typeof akeylessShape> = {
  name: text('Name of the secret.'),
  data_key: text('Field of the secret.'),
  cert_user_name: text('User name for a certificate.'),
  public_key_data: text('Public key for a certificate.'),
  csr_data: text('Certificate signing request.'),
  akeyless_api_url: text('Address of the service.'),
  akeyless_access_type: text('How the job authenticates.'),
  akeyless_access_key: text('Access key.'),
  akeyless_token: text('Token.'),
  uid_token: text('Universal identity token.'),
  gcp_audience: text('Audience at Google.'),
  azure_object_id: text('Object ID at Azure.'),
  k8s_service_account_token: text('Token of a service account.'),
  k8s_auth_config_name: text('Name of the authentication configuration.'),
  gateway_ca_certificate: text('Certificate of the gateway.'),
}

const storedSecret: KeywordsOf<typeof storedSecretShape> = {
  name: text('Name of the secret.'),
  source: text('Where the secret is stored.'),
}

/** Maps of containers, steps and credentials (CI language, 3.2, 3.7 and 3.17). */
export const containerMaps = {
  image,
  service,
  docker,
  kubernetes,
  step,
  step_origin: origin,
  git_origin: gitOrigin,
  oci_origin: ociOrigin,
  id_tokens: { '*': map('A token.', 'id_token') },
  id_token: idToken,
  secrets: { '*': map('A secret.', 'secret') },
  secret,
  vault,
  vault_engine: vaultEngine,
  versioned_secret: versionedSecret,
  aws_secret: awsSecret,
  akeyless_secret: akeylessSecret,
  stored_secret: storedSecret,
} satisfies Record<string, KeywordMap>
