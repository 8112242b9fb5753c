# A server in the place of Mailpit that accepts every mail. The run counts mails by the metrics of identity.
FROM node:24-bookworm-slim
WORKDIR /app
RUN npm install --ignore-scripts --no-save smtp-server@3.21.6
COPY services/kube/stand-ins/accept-mail.mjs ./
USER 1000:1000
CMD ["node", "accept-mail.mjs"]
