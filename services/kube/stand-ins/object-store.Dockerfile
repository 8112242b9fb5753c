# The object store of `make run` in the place of versity/versitygw.
FROM node:24-bookworm-slim
COPY .tools/versitygw/versitygw /usr/local/bin/versitygw
USER 1000:1000
