// Generated from openapi/upload.yaml by `make generate`. Do not edit.

export interface paths {
    "/v1/upload/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announce a file and get the form to post it with
         * @description The stored bytes of an account, and of a network, are limited. A full quota rejects no file: the oldest raw files are deleted instead. Laps and their series stay.
         */
        post: operations["initUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/upload/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that the file is posted, and have it checked
         * @description Repeating the call returns the same answer.
         */
        post: operations["completeUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Init: {
            /** Format: uuid */
            sessionId: string;
            /** @description Random; identifies no person. */
            key: string;
            /**
             * Format: uri
             * @description The object store's public address.
             */
            url: string;
            /** @description Send them unchanged before the file. They contain a signature and are valid for ten minutes. */
            fields: {
                [key: string]: string;
            };
        };
        /** @description Describes an error, for a program (`code`) and for the person (`detail`). */
        Problem: {
            /** @description Identifies the kind of problem; `about:blank` if the status is enough. */
            type: string;
            /** @description Short; the same for every occurrence of the code. */
            title: string;
            status: number;
            /** @description A sentence for the person. Never contains a stack trace, a query or a path. */
            detail: string;
            /** @description Stable; programs and tests rely on it. */
            code: string;
            /** @description The logs of every service that handled the request contain the same id. */
            request_id: string;
        };
    };
    responses: {
        /** @description The reason why the request failed. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    initUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The server checks its ending and does not store it; it can contain a person's name (D-12). */
                    filename: string;
                    /** @description Bytes; at most 104857600 (D-17). */
                    size: number;
                    /** @description The type that the browser reports; the file is always posted as application/octet-stream. */
                    contentType: string;
                    /** @description Older clients send a constant for an unknown track; it is not used. */
                    track?: string;
                };
            };
        };
        responses: {
            /** @description The address and the fields of the form, posted as multipart/form-data with the file last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Init"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    completeUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    sessionId: string;
                    key: string;
                    /** @description Not stored (D-12). */
                    originalName?: string;
                };
            };
        };
        responses: {
            /** @description The file is stored, has the announced size, and begins like telemetry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        /** Format: uuid */
                        sessionId: string;
                        key: string;
                        size: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            410: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
}
