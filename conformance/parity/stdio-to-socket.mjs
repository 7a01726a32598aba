// A program whose standard streams are those of a socket: what it is a server of runs elsewhere.
import { connect } from "node:net";

const socket = connect(Number(process.argv[2]), "127.0.0.1");
process.stdin.pipe(socket).pipe(process.stdout);
