# The image of Majordomo: the daemon, and the interpreters that connectors need. Build it with
# ./scripts/image, which builds the binaries first; docs/operations.md says how to run it, and which
# permissions a container has to be given for sandboxes inside it.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates nodejs npm python3 python3-pip \
 && rm -rf /var/lib/apt/lists/*
COPY bin/majordomo bin/majordomo-init /usr/local/bin/
ENV MAJORDOMO_STATE=/var/lib/majordomo
VOLUME /var/lib/majordomo
EXPOSE 7717
ENTRYPOINT ["majordomo"]
CMD ["serve", "--listen", "0.0.0.0:7717"]
