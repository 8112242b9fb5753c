// Generated from openapi/gateway.yaml by `make generate`. Do not edit.

export interface paths {
    "/config.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the page must know of this deployment */
        get: operations["getPageConfig"];
        put?: never;
        post?: never;
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
        PageConfig: {
            /**
             * @description Where a dropped file is read (D-23).
             * @enum {string}
             */
            preview: "browser" | "server";
            /** @description Whether the 2D and 3D views are offered. */
            maps: boolean;
            /** @description Of the deployment, for people who report a problem. */
            version: string;
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
        /** @description Errors the gateway answers itself, on any path. */
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
    getPageConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read once by the page when it starts, so that one build serves every deployment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageConfig"];
                };
            };
            /** @description The page has it already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem"];
            405: components["responses"]["Problem"];
            408: components["responses"]["Problem"];
            431: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
        };
    };
}
