// The SDK of MCP: only the server loads it. Its two doors share classes, so they are one file.

export * from "@modelcontextprotocol/server";
export * from "@modelcontextprotocol/server/stdio";
