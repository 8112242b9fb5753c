// Generated from openapi/gateway.yaml by `make generate`. Do not edit.

export interface paths {
    "/config.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return what the page needs to know about this deployment */
        get: operations["getPageConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{source}/{z}/{x}/{y}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return one raster tile of a source that the operator lets pass through the gateway
         * @description Exists only for sources whose `tiles` in `/config.json` begin with `/tiles/`. The gateway adds the source's key. `Cache-Control`, `ETag` and `Last-Modified` are the source's own.
         */
        get: operations["getTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Any address of the product's API, with any method
         * @description Answers come from the service whose contract has the address. The gateway can answer with its own errors instead, at any address.
         */
        get: operations["passOn"];
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
             * @description Where the page reads a dropped file (D-23).
             * @enum {string}
             */
            preview: "browser" | "server";
            /** @description Whether the page offers the 2D and 3D views. */
            maps: boolean;
            mapSources: components["schemas"]["MapSources"];
            /** @description Version of the deployment, for people who report a problem. */
            version: string;
            /** @description How the page reaches the identity provider; null if accounts are not available. */
            identity: {
                /** @description The part of the address before `/sdk/v1` and `/v1/public/oauth`: an origin without a trailing slash, or empty for the page's own origin. */
                baseUrl: string;
                /** @description Identifies the project to the provider; not secret. */
                publicToken: string;
            } | null;
        };
        /** @description Where the page gets the pictures of the 2D and 3D views, once a driver opens them. All are null or empty if `maps` is false. */
        MapSources: {
            /** @description Sources of the 3D view, in the order in which the page tries them. After the last one, and without any, the page draws its own ground. */
            photo: (components["schemas"]["GoogleTiles"] | components["schemas"]["IonTiles"] | components["schemas"]["TilesAddress"] | components["schemas"]["TerrainTiles"])[];
            /** @description The street map; null if there is none. */
            street: components["schemas"]["StyleSource"] | components["schemas"]["RasterSource"] | null;
            /** @description Satellite pictures; null if the operator has no source of them. */
            satellite: components["schemas"]["RasterSource"] | null;
            /** @description Page of a map service that shows the street at a position, with `{lat}` and `{lon}` for its degrees; null if there is none. */
            streetView: string | null;
        };
        /** @description Google's Photorealistic 3D Tiles. */
        GoogleTiles: {
            /** @enum {string} */
            kind: "google";
            /** @description Key of the Map Tiles API. It is public, and restricted to the page's origin at Google. */
            key: string;
            logo?: components["schemas"]["GoogleLogo"];
        };
        /** @description 3D Tiles of Cesium ion. */
        IonTiles: {
            /** @enum {string} */
            kind: "ion";
            /** @description Access token. It is public, and restricted to the page's origin at Cesium ion. */
            token: string;
            /** @description Number of the tileset. */
            assetId: number;
            logo?: components["schemas"]["GoogleLogo"];
        };
        /** @description Address of Google's logo, which the page shows beside the credits of Google's tiles. Without one it shows the words "Google Maps". */
        GoogleLogo: string;
        /** @description 3D Tiles at any address. */
        TilesAddress: {
            /** @enum {string} */
            kind: "tiles";
            /** @description Address of the `tileset.json`. All that it names is on the same origin. */
            url: string;
            /** @description Text of the credit in the view. */
            attribution: string;
        };
        /** @description Satellite pictures on terrain. The page takes the pictures of `satellite`. */
        TerrainTiles: {
            /** @enum {string} */
            kind: "terrain";
            /** @description Heights as the colours of raster tiles, in the format Terrarium. */
            terrain: components["schemas"]["RasterSource"];
        };
        StyleSource: {
            /** @description Address of a MapLibre style of vector tiles. All that it names is on the same origin. */
            style: string;
        };
        RasterSource: {
            /** @description Address of a tile with `{z}`, `{x}` and `{y}`. A key in it is public, and restricted at its provider. A path is of the gateway's own origin (`getTile`). */
            tiles: string;
            /** @description Pixels of one tile. */
            tileSize: number;
            /** @description Highest zoom that has tiles. */
            maxZoom: number;
            /** @description Credit that the map shows, as text or HTML. */
            attribution: string;
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
        /** @description The request is not well formed. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The route needs a session, and `Authorization` has no valid one. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A connected app calls a route for which the person has granted it no scope. */
        InsufficientScope: {
            headers: {
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No route has this address. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The route accepts other methods only; `Allow` lists them. */
        MethodNotAllowed: {
            headers: {
                Allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request took too long to arrive. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than the route allows. */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Content-Type` is not supported. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account or the address sent too many requests; `Retry-After` says when to retry. */
        RateLimited: {
            headers: {
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request line and the headers are too long. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An error inside the gateway. */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The upstream cannot be reached, the route is busy, or the session cannot be verified now. */
        Unavailable: {
            headers: {
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The upstream took too long. */
        UpstreamTimeout: {
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
            /** @description The page reads it once at start, so that one build serves every deployment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageConfig"];
                };
            };
            /** @description The page's copy is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Failed"];
        };
    };
    getTile: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
                "If-Modified-Since"?: string;
            };
            path: {
                source: "street" | "satellite" | "terrain";
                /** @description Zoom, at most `maxZoom` of the source. */
                z: number;
                /** @description Column, less than 2 to the power of `z`. */
                x: number;
                /** @description Row, less than 2 to the power of `z`. */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture, at most 2 MiB. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "image/gif": string;
                    "image/avif": string;
                };
            };
            /** @description The source has no picture here, refuses, fails, takes longer than 4 s, or answers with more than 2 MiB or with no picture. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client's copy is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The tile is outside of the map, or the request is not well formed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Failed"];
            /** @description Too many tiles are on their way. */
            503: {
                headers: {
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    passOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As in the service's own contract; the same holds for any other status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["UpstreamTimeout"];
        };
    };
}
