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
         * Announce a file, and get the form it is posted with
         * @description The bytes that are kept of one person, and of one network, are bounded. No file is refused for that: the oldest ones make room. Laps and their series stay.
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
         * Say that the file is posted, and have it checked
         * @description Repeating the call answers the same.
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
            /** @description Random; names nobody. */
            key: string;
            /**
             * Format: uri
             * @description The object store's public address.
             */
            url: string;
            /** @description To be sent before the file, as they are. They hold a signature and are good for ten minutes. */
            fields: {
                [key: string]: string;
            };
        };
        /** @description What went wrong, for a program (`code`) and for the person (`detail`). */
        Problem: {
            /** @description Identifies the kind of problem; `about:blank` where the status says it all. */
            type: string;
            /** @description Short and the same for every occurrence of the code. */
            title: string;
            status: number;
            /** @description A sentence for the person. Never a stack, a query or a path. */
            detail: string;
            /** @description Stable; programs and tests look at this. */
            code: string;
            /** @description The same id stands in the logs of every service the request went through. */
            request_id: string;
        };
    };
    responses: {
        /** @description Why it could not be done. */
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
                    /** @description Judged by its ending and then forgotten; it can hold a person's name (D-12). */
                    filename: string;
                    /** @description Bytes; at most 104857600 (D-17). */
                    size: number;
                    /** @description As the browser names it; the file is always posted as application/octet-stream. */
                    contentType: string;
                    /** @description Sent by older clients as a constant for an unknown track; not used. */
                    track?: string;
                };
            };
        };
        responses: {
            /** @description Where and with which fields the file is posted, as multipart/form-data with the file last. */
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
                    /** @description Not kept (D-12). */
                    originalName?: string;
                };
            };
        };
        responses: {
            /** @description The file is there, is as large as announced, and begins as telemetry does. */
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
