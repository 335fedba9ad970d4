"""Programs that change what a server lists behind the SDK's back: what the command claims against what is sent."""
