FROM python:3.13-slim
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements.txt ./
RUN pip install --requirement requirements.txt
COPY . .
RUN useradd --create-home app
USER app
EXPOSE 8000
CMD ["python", "-m", "app"]
