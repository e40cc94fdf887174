FROM maven:3-eclipse-temurin-21 AS build
WORKDIR /src
COPY pom.xml ./
RUN mvn --batch-mode dependency:go-offline
COPY src src
RUN mvn --batch-mode package -DskipTests

# `pom.xml` must name the result `app.jar` (`<finalName>app</finalName>`).
FROM eclipse-temurin:21-jre
RUN useradd --create-home app
COPY --from=build /src/target/app.jar /app.jar
USER app
EXPOSE 8080
ENTRYPOINT ["java", "-jar", "/app.jar"]
