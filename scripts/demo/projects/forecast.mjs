const CI = `stages: [data, train, evaluate, publish]

default:
  image: pytorch/pytorch:2.11-cuda13

fetch:
  stage: data
  tags: [docker]
  script: python -m forecast.fetch --days 30
  artifacts: { paths: [data/], expire_in: 3 days }

quality:
  stage: data
  tags: [docker]
  script:
    - ruff check
    - pytest --junitxml report.xml
  artifacts: { when: always, reports: { junit: report.xml } }

train:
  stage: train
  tags: [gpu]
  timeout: 8h
  parallel:
    matrix:
      - MODEL: [temperature, rain, wind]
  script: python -m forecast.train --model $MODEL
  artifacts: { paths: [models/], reports: { metrics: metrics.txt } }

evaluate:
  stage: evaluate
  tags: [docker]
  script: python -m forecast.evaluate --html report
  artifacts: { paths: [report/], expose_as: 'Evaluation' }

publish:
  stage: publish
  tags: [docker]
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
  script: python -m forecast.publish
  environment: { name: models/production }
`

/** @type {import('../plan.mjs').ProjectPlan} */
export const forecast = {
  path: 'research/forecast',
  name: 'Forecast',
  description: 'Models that predict the weather along a route',
  topics: ['python', 'machine-learning'],
  owner: 'priya',
  authors: ['priya', 'tomasz', 'noah'],
  pools: ['docker', 'gpu'],
  share: 0.09,
  files: {
    '.gitlab-ci.yml': CI,
    'README.md':
      '# Forecast\n\nTrains three models a night and keeps the best.\n\n```python\nfrom forecast import Model\n\nModel.load("rain").predict(latitude=59.9, longitude=10.7)\n```\n',
    'forecast/__init__.py': 'from .model import Model\n\n__all__ = ["Model"]\n',
    'forecast/model.py':
      'class Model:\n    """A trained model."""\n\n    def __init__(self, weights):\n        self.weights = weights\n\n    def predict(self, latitude, longitude):\n        return self.weights @ (latitude, longitude)\n',
    'forecast/train.py': 'import torch\n\nEPOCHS = 40\nLEARNING_RATE = 3e-4\n',
    'pyproject.toml': '[project]\nname = "forecast"\nversion = "0.8.0"\nrequires-python = ">=3.13"\n',
  },
  changed: ['forecast/model.py', 'forecast/train.py'],
  messages: [
    'Train on 30 days',
    'wind: deeper network',
    'Lower the learning rate after epoch 20',
    'rain: use radar images',
    'Evaluate against the public forecast',
    'Keep checkpoints for three days',
  ],
  branches: ['radar', 'distill'],
  jobs: {
    fetch: { seconds: [60, 120], log: 'python', files: 'data' },
    quality: { seconds: [40, 70], log: 'pytest', failure: 0.04, tests: 'pytest' },
    train: { seconds: [1200, 2600], log: 'train', failure: 0.05, reports: ['metrics'], files: 'model' },
    evaluate: { seconds: [90, 160], log: 'python', files: 'site' },
    publish: { seconds: [20, 40], log: 'python' },
  },
}
