const CI = `stages: [validate, plan, environments]

default:
  image: hashicorp/terraform:1.14
  tags: [terraform]

fmt:
  stage: validate
  script: terraform fmt -check -recursive

validate:
  stage: validate
  script: terraform validate

tfsec:
  stage: validate
  script: tfsec --format sarif
  allow_failure: true
  artifacts: { reports: { sast: gl-sast.json } }

plan:
  stage: plan
  script: terraform plan -out plan.tfplan
  artifacts: { paths: [plan.tfplan], reports: { terraform: plan.json } }

europe:
  stage: environments
  variables: { REGION: eu-north-1 }
  trigger: { include: ci/region.yml, strategy: depend }

america:
  stage: environments
  variables: { REGION: us-east-2 }
  trigger: { include: ci/region.yml, strategy: depend }
`

const REGION = `stages: [plan, apply, check]

default:
  image: hashicorp/terraform:1.14
  tags: [terraform]

plan region:
  stage: plan
  script: terraform plan -var region=$REGION
  artifacts: { reports: { terraform: plan.json } }

apply region:
  stage: apply
  resource_group: $REGION
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
      allow_failure: true
  script: terraform apply -auto-approve plan.tfplan
  environment: { name: production/$REGION, deployment_tier: production }

probe:
  stage: check
  needs: ["plan region"]
  script: ./probe.sh $REGION
`

/** @type {import('../plan.mjs').ProjectPlan} */
export const infrastructure = {
  path: 'platform/infrastructure',
  name: 'Infrastructure',
  description: 'Machines and networks as Terraform modules',
  topics: ['terraform'],
  owner: 'mira',
  authors: ['mira', 'dimitri', 'samuel'],
  pools: ['terraform'],
  share: 0.12,
  files: {
    '.gitlab-ci.yml': CI,
    'ci/region.yml': REGION,
    'README.md':
      '# Infrastructure\n\nEach region is a child pipeline: it plans, waits for a person, and applies.\n',
    'main.tf':
      'terraform {\n  required_version = ">= 1.14"\n}\n\nmodule "network" {\n  source = "./modules/network"\n  region = var.region\n}\n',
    'modules/network/main.tf':
      'variable "region" { type = string }\n\nresource "aws_vpc" "this" {\n  cidr_block = "10.20.0.0/16"\n}\n',
    'modules/cluster/main.tf':
      'resource "aws_eks_cluster" "this" {\n  name    = "atlas"\n  version = "1.35"\n}\n',
    'probe.sh': '#!/bin/sh\ncurl --fail --silent "https://$1.atlas.example/healthz"\n',
  },
  changed: ['main.tf', 'modules/network/main.tf', 'modules/cluster/main.tf'],
  messages: [
    'cluster: update to 1.35',
    'network: add private endpoints',
    'Rotate the keys of the registry',
    'cluster: larger nodes for tiles',
    'network: allow the office in Oslo',
    'Remove the old bastion',
  ],
  branches: ['larger-nodes', 'zero-trust'],
  jobs: {
    fmt: { seconds: [5, 9], log: 'terraform' },
    validate: { seconds: [9, 16], log: 'terraform' },
    tfsec: { seconds: [14, 25], log: 'terraform', failure: 0.15, reports: ['sast'] },
    plan: { seconds: [50, 90], log: 'terraform', failure: 0.04, reports: ['terraform'], files: 'plan' },
    'plan region': { seconds: [40, 70], log: 'terraform', reports: ['terraform'] },
    'apply region': { seconds: [120, 260], log: 'terraform', failure: 0.05 },
    probe: { seconds: [6, 12], log: 'kubectl', failure: 0.04 },
  },
}
